export { parseYamlFile } from './yaml-file.ts';
