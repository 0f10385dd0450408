import { type Asking, BatonError, type Plain } from '@baton/core';
import { requireUnprotectedIn } from '@baton/folders';
import { applyEdits } from './edits/apply-edits.ts';
import type { Change, Move } from './edits/changing.ts';
import { pathAfter } from './edits/path-after.ts';
import { contentsOf, textOf } from './edits/text-file.ts';
import type { EditedFile } from './language/language.ts';
import { isComponent } from './language/source-kinds.ts';
import { leftAlone } from './left-alone.ts';
import { isTypeScriptFile } from './lsp/typescript-server.ts';
import { wordsForPackage, wordsForPath } from './mentions/words-for-path.ts';
import { type EditOutcome, outcomeOf } from './outcome.ts';
import { WorkspacePaths } from './paths/workspace-paths.ts';
import type { EditorPorts } from './ports.ts';
import { renameFile } from './rename-file/rename-file.ts';
import { importsUnknown, wordsForUnknown } from './rename-file/unknown-imports.ts';
import type { FoundSymbol, SymbolRequest } from './rename-symbol/find-symbol.ts';
import { renameSymbol } from './rename-symbol/rename-symbol.ts';
import { refused, secrecyOf } from './settings/refused.ts';
import { refusalOf } from './settings/rules.ts';
import { isLanguageKey } from './settings/setting-key.ts';
import type { Scope } from './settings/settings-port.ts';

export interface FoundSetting {
  readonly key: string;
  readonly isSet: boolean;
  readonly scope?: Scope;
  readonly value?: Plain;
}

/**
 * Files may change between the look and the writing; then it is computed again. Each time one of
 * several processes gets through, the others have to begin anew.
 */
const ATTEMPTS = 8;

/** Where nobody knows what refers to a file, its mentions are all that there is. */
const WHEN_UNKNOWN = { maxPlaces: 200, maxFiles: Number.POSITIVE_INFINITY };

export interface FileRequest {
  readonly from: string;
  readonly to: string;
  /** Also if nobody can say what refers to it. */
  readonly force: boolean;
}

export interface FileOutcome extends EditOutcome {
  readonly move: Move;
  readonly isFolder: boolean;
  /** Files about which nobody could say what refers to them, or whether they refer to this. */
  readonly unknown: readonly string[];
}

/** Who calls, and how long they wait. */
export interface Call {
  readonly asking: Asking;
  readonly signal: AbortSignal;
  /** Only to say what would happen. */
  readonly dryRun: boolean;
}

/** Everything that can be done with source files. */
export class EditorService {
  readonly #ports: EditorPorts;
  readonly #paths: WorkspacePaths;
  #lastTurn: Promise<unknown> = Promise.resolve();

  constructor(ports: EditorPorts) {
    this.#ports = ports;
    this.#paths = new WorkspacePaths(ports.tree.root);
  }

  renameSymbol(
    request: SymbolRequest & { readonly newName: string },
    call: Call,
  ): Promise<EditOutcome & { readonly symbol: FoundSymbol }> {
    const { name, newName } = request;
    return this.#untilSettled(async () => {
      const file = this.#paths.existingFile(request.file);
      const { tree } = this.#ports;
      const language = this.#ports.language(call);
      const filesWith = (words: readonly string[]) => tree.filesWith(words);
      filesWith([name, newName]).catch(() => {}); // Both at once; whoever needs one is told.
      const [{ symbol, edited }, mentioning] = await Promise.all([
        renameSymbol({ language, filesWith }, { ...request, file }),
        filesWith([name]),
      ]);
      const left = await leftAlone(this.#ports, [name], mentioning, edited);
      const title = `rename_symbol ${name} → ${newName}`;
      const outcome = await this.#apply({ title, edited, moves: [], leftAlone: left }, call);
      return { ...outcome, symbol };
    });
  }

  renameFile({ force, ...request }: FileRequest, call: Call): Promise<FileOutcome> {
    return this.#untilSettled(async () => {
      const language = this.#ports.language(call);
      const { tree, clock } = this.#ports;
      const surroundings = { language, paths: this.#paths, tree, clock };
      const { move, isFolder, edited, why, ...found } = await renameFile(surroundings, request);
      const isPackage = (await tree.look()).has(`${move.from}/__init__.py`);
      const ofPackage = isPackage ? wordsForPackage(move.from) : [];
      const ofPath = [...wordsForPath(move.from), ...ofPackage];
      const unknown = [...found.unknown, ...(await this.#componentsWith(ofPath, move, edited))];
      const words =
        unknown.length > 0 ? [...new Set([...ofPath, ...wordsForUnknown(move.from)])] : ofPath;
      const mentioning = await tree.filesWith(words);
      const limits = unknown.length > 0 ? WHEN_UNKNOWN : {};
      const left = await leftAlone(this.#ports, words, mentioning, edited, limits);
      if (unknown.length > 0 && !force) throw importsUnknown(unknown, why, left);
      const title = `rename_file ${move.from} → ${move.to}`;
      const outcome = await this.#apply({ title, edited, moves: [move], leftAlone: left }, call);
      return { ...outcome, move, isFolder, unknown };
    });
  }

  /** Components that mention a module which moves: they may import it, and nobody can say so. */
  async #componentsWith(
    words: readonly string[],
    { from }: Move,
    edited: readonly EditedFile[],
  ): Promise<string[]> {
    const { tree } = this.#ports;
    const moved = [...(await tree.look()).keys()].filter(
      (file) => pathAfter([{ from, to: '' }], file) !== file,
    );
    if (!moved.some(isTypeScriptFile)) return [];
    const components = (await tree.filesWith(words)).filter(
      (file) => isComponent(file) && !edited.some((one) => one.file === file),
    );
    const all = { maxPlaces: components.length, maxFiles: components.length };
    const { places } = await leftAlone(this.#ports, words, components, edited, all);
    return [...new Set(places.map(({ file }) => file))];
  }

  organizeImports(files: readonly string[], call: Call): Promise<EditOutcome> {
    return this.#untilSettled(async () => {
      const language = this.#ports.language(call);
      const edited: EditedFile[] = [];
      for (const file of new Set(files.map((given) => this.#paths.existingFile(given))))
        edited.push(...(await language.organizeImports(file)));
      const title = `organize_imports ${files.slice(0, 3).join(', ')}`;
      return this.#apply({ title, edited: edited.filter(isChanging), moves: [] }, call);
    });
  }

  async getSetting(key: string, scope: Scope | undefined): Promise<FoundSetting> {
    const { settings } = this.#ports;
    const told = (value: Plain | undefined) => {
      const refusal = secrecyOf(key, value);
      if (refusal) throw refused(refusal, 'read');
      return value;
    };
    for (const one of scope ? [scope] : (['workspace', 'user'] as const)) {
      const value = told(await settings.get(key, one));
      if (value !== undefined) return { key, isSet: true, scope: one, value };
    }
    const value = told(scope ? undefined : await settings.fallback?.(key));
    return { key, isSet: false, ...(value !== undefined && { value }) };
  }

  /** `before` is what was set there until now. */
  async setSetting(key: string, value: unknown, scope: Scope) {
    const { settings, allowedSettings } = this.#ports;
    // First without a look: a key that is refused by its name need not be one that can be read.
    const refusal = refusalOf(key, value, allowedSettings);
    const before = refusal && !isLanguageKey(key) ? undefined : await settings.get(key, scope);
    const judged = isLanguageKey(key) ? refusalOf(key, value, allowedSettings, before) : refusal;
    if (judged) throw refused(judged, 'changed');
    const wanted = value as Plain | undefined;
    await settings.set(key, wanted, scope);
    return {
      key,
      scope,
      ...(wanted !== undefined && { value: wanted }),
      ...(before !== undefined && { before }),
    };
  }

  /** What was taken back. */
  undo(id: string): Promise<Change> {
    return this.#ports.changing.undo(id);
  }

  async #apply(planned: Planned, { dryRun, signal }: Call): Promise<EditOutcome> {
    const { edited, moves } = planned;
    const moved = moves.flatMap(({ from, to }) => [from, to]);
    requireUnprotectedIn(this.#ports.tree.root, [...moved, ...edited.map(({ file }) => file)]);
    const outlook = { ...planned, pathAfter: (file: string) => pathAfter(moves, file) };
    if (dryRun || (edited.length === 0 && moves.length === 0)) return outcomeOf(outlook, false);
    signal.throwIfAborted();
    const { changing } = this.#ports;
    const undo = await changing.apply({
      title: planned.title,
      writes: edited.map(writeOf),
      moves,
    });
    return outcomeOf({ ...outlook, undo, unsaved: changing.unsavedBy?.(undo) }, true);
  }

  /** One after the other: what one call changes, another would have computed in vain. */
  #untilSettled<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#lastTurn.catch(() => {}).then(() => this.#settled(work));
    this.#lastTurn = turn;
    return turn;
  }

  async #settled<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        const isPassing = error instanceof BatonError && error.code === 'files_changed';
        if (!isPassing || attempt === ATTEMPTS) throw error;
      }
    }
  }
}

interface Planned {
  readonly title: string;
  readonly edited: readonly EditedFile[];
  readonly moves: readonly Move[];
  readonly leftAlone?: Awaited<ReturnType<typeof leftAlone>>;
}

function writeOf({ file, contents, edits }: EditedFile) {
  const { mark, text } = textOf(file, contents);
  const after = contentsOf({ mark, text: applyEdits(text, edits) });
  return { file, before: contents, after, edits };
}

function isChanging(edited: EditedFile): boolean {
  const { before, after } = writeOf(edited);
  return !before.equals(after);
}
