import path from 'node:path';

/**
 * Endings of source files that others refer to by something else than their names: as modules,
 * packages, classes, or without an ending. No search for a text can tell what refers to them.
 */
const SOURCES = new Set(
  [
    'ts mts cts tsx js mjs cjs jsx vue svelte astro mdx marko elm coffee ls res',
    'py pyi pyx pxd ipynb go rs java kt kts scala sc groovy gradle clj cljs cljc',
    'rb rbi php c h cc cpp cxx c++ hh hpp hxx h++ inl ipp ixx cppm m mm cu cuh cs csx fs fsx fsi vb',
    'swift dart ex exs erl hrl gleam hs lhs ml mli re rei nim zig v sv svh vhd vhdl d di',
    'jl lua luau pl pm raku r pas pp f f90 f95 f03 ada adb ads cob cbl lisp cl el scm rkt ss',
    'sol vy move cairo proto thrift fbs capnp graphql gql tf bzl nix cr hx odin tcl',
    'cmake ps1 psm1 psd1 sql tex sty cls bib rst lean purs agda cue rego',
    'pug jade ejs hbs handlebars mustache njk j2 jinja jinja2 liquid twig erb haml slim',
    'eex heex leex cshtml vbhtml razor jsp jspx ftl',
    'scss sass less styl',
  ].flatMap((line) => line.split(' ').map((ending) => `.${ending}`)),
);

/** Of files that import modules of JavaScript, and that its language server does not read. */
const COMPONENTS = new Set(['.astro', '.htm', '.html', '.marko', '.mdx', '.svelte', '.vue']);

export function isSource(file: string): boolean {
  return SOURCES.has(path.extname(file).toLowerCase());
}

export function isComponent(file: string): boolean {
  return COMPONENTS.has(path.extname(file).toLowerCase());
}
