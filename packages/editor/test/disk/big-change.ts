import { type Contents, change, write } from './test-disk.ts';

/** A change with a step of every kind. */
export const filesBefore: Contents = {
  'a.ts': 'a\r\n',
  'b.ts': 'b',
  'd.ts': 'd',
  'src/c.ts': 'c',
  'src/same.ts': 'same',
};

export const bigChange = change(
  [
    write('a.ts', 'a\r\n', 'A\r\n'),
    write('src/c.ts', 'c', 'C'),
    write('new/e.ts', undefined, 'E'),
    write('b.ts', 'b'),
  ],
  [
    { from: 'd.ts', to: 'moved/D.ts' },
    { from: 'src', to: 'lib' },
  ],
);

export const treeBefore = {
  ...{ 'a.ts': 'a\r\n', 'b.ts': 'b', 'd.ts': 'd' },
  ...{ src: null, 'src/c.ts': 'c', 'src/same.ts': 'same' },
};

export const treeAfter = {
  ...{ 'a.ts': 'A\r\n', new: null, 'new/e.ts': 'E', moved: null, 'moved/D.ts': 'd' },
  ...{ lib: null, 'lib/c.ts': 'C', 'lib/same.ts': 'same' },
};
