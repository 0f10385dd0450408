import { seeded, times } from '../make-tables.ts';
import type { TestCatalogue } from './catalogue.ts';

const { between, one, day, some } = seeded(15);

const clientes = times(45, (n) => ({
  id_cliente: n,
  nombre: `Cliente ${n}`,
  ciudad: one(['León', 'Cádiz', 'Lugo']),
  cp: `0${between(1000, 9999)}`,
}));
const proveedores = times(8, (n) => ({ id_proveedor: n, nombre: `Proveedor ${n}` }));
const categorias = times(5, (n) => ({ id_categoria: n, descripcion: `Tipo ${n}` }));
const productos = times(30, (n) => ({
  cod_producto: `P${100 + n}`,
  nombre: `Cosa ${n}`,
  id_proveedor: between(1, 8),
  id_categoria: between(1, 5),
  precio: between(100, 9000) / 100,
}));
const empleados = times(14, (n) => ({
  id_empleado: n,
  nombre: `Empleado ${n}`,
  jefe: n > 2 ? between(1, 2) : null,
}));
const pedidos = times(110, (n) => ({
  num_pedido: 7000 + n,
  id_cliente: between(1, 45),
  id_empleado: between(1, 14),
  fecha: day(2025),
}));
const detalle_pedidos = pedidos.flatMap(({ num_pedido }) =>
  some(productos, between(1, 4)).map(({ cod_producto }, at) => ({
    num_pedido,
    linea: at + 1,
    cod_producto,
    cantidad: between(1, 9),
  })),
);

export const tienda: TestCatalogue = {
  tables: { clientes, proveedores, categorias, productos, empleados, pedidos, detalle_pedidos },
  keys: {
    clientes: 'id_cliente',
    proveedores: 'id_proveedor',
    categorias: 'id_categoria',
    productos: 'cod_producto',
    empleados: 'id_empleado',
    pedidos: 'num_pedido',
    detalle_pedidos: 'num_pedido + linea',
  },
  labels: { clientes: 'nombre', proveedores: 'nombre', productos: 'nombre', empleados: 'nombre' },
  relations: [
    'productos.id_proveedor → proveedores.id_proveedor',
    'productos.id_categoria → categorias.id_categoria',
    'empleados.jefe → empleados.id_empleado',
    'pedidos.id_cliente → clientes.id_cliente',
    'pedidos.id_empleado → empleados.id_empleado',
    'detalle_pedidos.num_pedido → pedidos.num_pedido',
    'detalle_pedidos.cod_producto → productos.cod_producto',
  ],
};
