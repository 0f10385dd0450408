import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Piece, readPiece } from '@baton/knowledge/search';
import { parse } from 'yaml';
import type { Labels } from './measures.ts';

export const CLASSES = ['symptom', 'task', 'question', 'name', 'short', 'typo', 'none'] as const;
export type RequestClass = (typeof CLASSES)[number];

export interface Request extends Labels {
  readonly request: string;
  readonly class: RequestClass;
}

export interface Document {
  readonly file: string;
  readonly text: string;
  readonly piece: Piece;
}

/** A collection of pieces, with requests and which pieces answer them. */
export interface Material {
  readonly documents: readonly Document[];
  readonly requests: readonly Request[];
}

/** `harbor` is what the weights were found with; nobody looks into `lantern` while tuning. */
export const COLLECTIONS = ['harbor', 'lantern'] as const;
export type CollectionName = (typeof COLLECTIONS)[number];

export function folderOf(name: CollectionName): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

export async function readMaterial(name: CollectionName): Promise<Material> {
  const folder = folderOf(name);
  const requests = parse(readFileSync(`${folder}.yaml`, 'utf8')) as Request[];
  return { documents: await readDocuments(folder), requests };
}

async function readDocuments(folder: string): Promise<Document[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.split(path.sep).join('/'))
    .sort();
  return Promise.all(
    files.map(async (file) => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      return { file, text, piece: (await readPiece(file, text)).piece };
    }),
  );
}
