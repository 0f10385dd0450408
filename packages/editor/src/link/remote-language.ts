import { textIn } from '../edits/apply-edits.ts';
import type { Move } from '../edits/changing.ts';
import type { EditsByFile } from '../edits/text-edit.ts';
import { keepRelative, movedFiles, wordsOfMoves } from '../headless/moves.ts';
import type {
  Declaration,
  EditedFile,
  FollowingEdits,
  Language,
  Place,
  Token,
} from '../language/language.ts';
import { declarationsIn, tokensIn } from '../lsp/decode.ts';
import { isTypeScriptFile } from '../lsp/typescript-server.ts';
import type { WorkspaceTree } from '../tree/workspace-tree.ts';
import type { EditedText } from './editor-host.ts';
import type { LinkClient } from './link-client.ts';

/** An editor knows files that are open: these are opened in it, so that it looks at them, too. */
const MOST_OPENED = 60;
/** What moves together is mostly of one project, and one file makes that known. */
const MOST_MOVED = 10;
/** What programs have written; it follows from the sources. */
const GENERATED = /(^|\/)(dist|build|out|coverage|target|vendor)\//;

/** What an editor knows about programs, for one call of a tool. */
export class RemoteLanguage implements Language {
  readonly #client: LinkClient;
  readonly #tree: WorkspaceTree;
  readonly #signal: AbortSignal;

  constructor(client: LinkClient, tree: WorkspaceTree, signal: AbortSignal) {
    this.#client = client;
    this.#tree = tree;
    this.#signal = signal;
  }

  async read(file: string): Promise<Buffer> {
    return Buffer.from(await this.#read(file), 'utf8');
  }

  async declarations(file: string): Promise<readonly Declaration[]> {
    return declarationsIn(await this.#client.ask('declarations', { file }, this.#signal));
  }

  async tokens(file: string): Promise<readonly Token[]> {
    const told = await this.#client.ask('tokens', { file }, this.#signal);
    return told ? tokensIn(told, told) : [];
  }

  definitions(at: Place): Promise<readonly Place[]> {
    return this.#client.ask('definitions', { at }, this.#signal);
  }

  async rename(at: Place, newName: string): Promise<readonly EditedFile[]> {
    const old = textIn(await this.#read(at.file), at.range);
    const mentioning = await this.#sourcesWith([old]);
    const asked = { at, newName, mentioning };
    return editedFiles(await this.#client.ask('rename', asked, this.#signal));
  }

  /** An editor tells us what its TypeScript knows; other extensions act on their own, or not. */
  async renameFiles(moves: readonly Move[]): Promise<FollowingEdits> {
    return { edited: await this.#editsFor(moves), isKnown: isTypeScriptFile };
  }

  async #editsFor(moves: readonly Move[]): Promise<readonly EditedFile[]> {
    const files = await this.#tree.look();
    const moved = movedFiles(moves, files.keys()).filter(isTypeScriptFile).slice(0, MOST_MOVED);
    const concerned = [...new Set([...moved, ...(await this.#sourcesWith(wordsOfMoves(moves)))])];
    // What no source can import is just moved.
    if (concerned.length === 0) return [];
    const asked = { moves, concerned };
    const edited = editedFiles(await this.#client.ask('renameFiles', asked, this.#signal));
    return edited.map(keepRelative);
  }

  async organizeImports(file: string): Promise<readonly EditedFile[]> {
    return editedFiles(await this.#client.ask('organizeImports', { file }, this.#signal));
  }

  referencesAfter(edits: EditsByFile, at: Place): Promise<readonly Place[]> {
    const asked = { edits: [...edits].map(([file, changes]) => ({ file, edits: changes })), at };
    return this.#client.ask('referencesAfter', asked, this.#signal);
  }

  #read(file: string): Promise<string> {
    return this.#client.ask('read', { file }, this.#signal);
  }

  async #sourcesWith(words: readonly string[]): Promise<string[]> {
    const found = await this.#tree.filesWith(words);
    return found
      .filter((file) => isTypeScriptFile(file) && !GENERATED.test(file))
      .slice(0, MOST_OPENED);
  }
}

function editedFiles(edited: readonly EditedText[]): EditedFile[] {
  return edited.map(({ file, text, edits }) => ({
    file,
    contents: Buffer.from(text, 'utf8'),
    edits,
  }));
}
