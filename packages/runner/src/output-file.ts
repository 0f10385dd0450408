import path from 'node:path';

/** Where an attempt writes its outputs, in the folder for all of them. */
export function outputFile(folder: string, attempt: string): string {
  return path.join(folder, `${attempt}.output`);
}
