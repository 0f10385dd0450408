import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

// Also right behind the name of its section; the last one counts.
const HOOKS_PATH = /(?:^|\])[ \t]*hookspath[ \t]*=[ \t]*(.*)$/gim;

/**
 * The folder that a repository's own settings name with `core.hooksPath`: git runs what is there
 * instead of `.git/hooks`. Settings of the user and included files are not looked at.
 */
export function gitHooksFolder(folder: string): string | undefined {
  const top = topOf(folder);
  if (top === undefined) return undefined;
  const config = readText(path.join(commonDirOf(path.join(top, '.git')), 'config')) ?? '';
  const value = [...config.matchAll(HOOKS_PATH)].at(-1)?.[1];
  const named = value && unquoted(value);
  return named ? path.resolve(top, named) : undefined;
}

function topOf(folder: string): string | undefined {
  if (existsSync(path.join(folder, '.git'))) return folder;
  const parent = path.dirname(folder);
  return parent === folder ? undefined : topOf(parent);
}

/** All worktrees of a repository have their settings in one place. */
function commonDirOf(dotGit: string): string {
  const target = /^gitdir: (.+)/.exec(readText(dotGit) ?? '')?.[1];
  if (target === undefined) return dotGit;
  const gitDir = path.resolve(path.dirname(dotGit), target.trim());
  return path.resolve(gitDir, readText(path.join(gitDir, 'commondir'))?.trim() ?? '.');
}

/** Parts of a value may be quoted; outside of quotes a comment may follow. */
function unquoted(value: string): string {
  const parts = value.matchAll(/"((?:[^"\\]|\\.)*)"|((?:[^"\\#;]|\\.)+)|[#;].*/g);
  const texts = [...parts].map(([, quoted, plain]) => quoted ?? plain ?? '');
  return texts.join('').trim().replace(/\\(.)/g, '$1');
}

function readText(file: string): string | undefined {
  try {
    // Looked at before it is opened: reading a pipe would wait for ever.
    return statSync(file).isFile() ? readFileSync(file, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
