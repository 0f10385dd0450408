import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { type Asking, BatonError, type CommandSource, type Trust } from '@baton/core';
import type { ServerKind } from '../lsp/language-server.ts';
import {
  findTypeScript,
  type InstalledTypeScript,
  isTypeScriptFile,
  typeScriptServer,
} from '../lsp/typescript-server.ts';
import { type NamedServers, namedServer } from './named-servers.ts';
import { noServer, type ServerChoice, understands } from './server-choice.ts';

export interface InstalledServersOptions {
  readonly workspace: string;
  /** Files from which Baton's own TypeScript is looked for, in order. */
  readonly packagesOf: readonly string[];
  /** The folder that it can be installed into. */
  readonly installInto: string;
  readonly trust: Trust;
  /** Servers that the user has named. */
  readonly named: NamedServers;
  /** Servers that a file of the workspace names, and where. They run only if a person agrees. */
  workspaceServers(): Promise<{ servers: NamedServers; source: CommandSource } | undefined>;
}

/** The file whose approval lets the workspace's own TypeScript run. */
const TYPESCRIPT_SOURCE = 'node_modules/typescript/package.json';

/** TypeScript's own server, and those that somebody has named. */
export class InstalledServers implements ServerChoice {
  readonly #options: InstalledServersOptions;

  constructor(options: InstalledServersOptions) {
    this.#options = options;
  }

  async kindFor(file: string, asking: Asking): Promise<ServerKind> {
    const [kind] = await this.kindsFor([file], [], asking);
    if (!kind) throw noServer(file);
    return kind;
  }

  async kindsFor(
    files: readonly string[],
    others: readonly string[],
    asking: Asking,
  ): Promise<readonly ServerKind[]> {
    const all = [...files, ...others];
    const isConcerned = (kind: ServerKind) => all.some((file) => understands(kind, file));
    const ofWorkspace = await this.#ofWorkspace(files, asking);
    const named = Object.entries({ ...this.#options.named, ...ofWorkspace })
      .map(namedServer)
      .filter(isConcerned);
    const isLeft = (file: string) => !named.some((kind) => understands(kind, file));
    if (!all.some((file) => isTypeScriptFile(file) && isLeft(file))) return named;
    return [...named, typeScriptServer(await this.#typeScript(asking))];
  }

  async #ofWorkspace(files: readonly string[], asking: Asking): Promise<NamedServers> {
    const { trust, workspaceServers } = this.#options;
    const found = await workspaceServers();
    if (!found) return {};
    const kinds = Object.entries(found.servers).map(namedServer);
    const isNeeded = kinds.some((kind) => files.some((file) => understands(kind, file)));
    if (isNeeded) await trust.require(found.source, asking);
    else if (!(await trust.isTrusted(found.source))) return {};
    return found.servers;
  }

  /** The workspace's own if a person has approved it: it came with the repository, or from one. */
  async #typeScript(asking: Asking): Promise<InstalledTypeScript> {
    const { workspace, packagesOf, installInto, trust } = this.#options;
    const own = firstTypeScript(packagesOf);
    const theirs = findTypeScript(path.join(workspace, 'package.json'));
    if (!theirs || theirs.executable === own?.executable) {
      if (own) return own;
      throw missing(installInto);
    }
    const source = await typeScriptSource(workspace, theirs);
    if (!own) await trust.require(source, asking);
    return !own || (await trust.isTrusted(source)) ? theirs : own;
  }
}

function firstTypeScript(from: readonly string[]): InstalledTypeScript | undefined {
  for (const file of from) {
    const found = findTypeScript(file);
    if (found) return found;
  }
  return undefined;
}

/** What a person approves: this program, byte for byte. */
export async function typeScriptSource(
  workspace: string,
  { version, executable }: InstalledTypeScript,
): Promise<CommandSource> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(executable)) hash.update(chunk);
  return {
    workspace,
    source: TYPESCRIPT_SOURCE,
    commands: [
      {
        title: `TypeScript ${version}, as a language server`,
        command: `${executable} --lsp --stdio`,
        detail: { sha256: hash.digest('hex') },
      },
    ],
  };
}

function missing(folder: string): BatonError {
  return new BatonError(
    'typescript_missing',
    'TypeScript 7, whose language server knows what refers to what, is not installed for this Baton.',
    `Install it once: npm install --prefix ${JSON.stringify(folder)} typescript@7.0.2`,
  );
}
