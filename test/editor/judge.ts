import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { importsOfAddedTo, type Specifier } from './added-to.ts';
import { installed } from './install.ts';
import type {
  LanguageService,
  Node,
  RenameLocation,
  SourceFile,
  TypeScript,
} from './judge-types.ts';

const PREFERENCES = { providePrefixAndSuffixTextForRename: true };

const MEMBERS = [
  'GetAccessor',
  'MethodDeclaration',
  'MethodSignature',
  'PropertyDeclaration',
  'PropertySignature',
  'SetAccessor',
];

/** A place in a file, by its path in the folder, and what is to stand there. */
export interface Edit {
  readonly file: string;
  readonly start: number;
  readonly length: number;
  readonly newText: string;
}

export interface DeclaredName {
  readonly file: string;
  readonly name: string;
  readonly at: number;
  /** From 1. */
  readonly line: number;
  /** Of a type: others may have to have such a member, too, though they do not refer to it. */
  readonly isMember: boolean;
}

/** TypeScript 6, which shares no code with version 7, on files that do not change meanwhile. */
export class Judge {
  readonly #typescript: TypeScript;
  readonly #service: LanguageService;
  readonly #folder: string;
  readonly #left: readonly Specifier[];
  readonly files: readonly string[];

  constructor(folder: string) {
    this.#folder = folder;
    const typescript: TypeScript = createRequire(import.meta.url)(installed('typescript'));
    this.#typescript = typescript;
    const config = path.join(folder, 'tsconfig.json');
    const onUnRecoverableConfigFileDiagnostic = () => {};
    const host = { ...typescript.sys, onUnRecoverableConfigFileDiagnostic };
    const parsed = typescript.getParsedCommandLineOfConfigFile(config, {}, host);
    if (!parsed) throw new Error(`${config} cannot be read`);
    this.files = parsed.fileNames.map((file) => path.relative(folder, file)).sort();
    this.#service = typescript.createLanguageService({
      ...typescript.sys,
      getScriptFileNames: () => parsed.fileNames,
      getScriptVersion: () => '0',
      getScriptSnapshot: (file: string) =>
        existsSync(file)
          ? typescript.ScriptSnapshot.fromString(readFileSync(file, 'utf8'))
          : undefined,
      useCaseSensitiveFileNames: () => true,
      getCurrentDirectory: () => folder,
      getCompilationSettings: () => parsed.options,
      getDefaultLibFileName: typescript.getDefaultLibFilePath,
    });
    const sources = this.files.map((file) => this.#source(file));
    this.#left = importsOfAddedTo(typescript, parsed.options, folder, sources);
  }

  textOf(file: string): string {
    return this.#source(file).text;
  }

  /** What has to follow when a file is moved; not all of the new texts are known. */
  move(from: string, to: string): readonly Edit[] {
    const full = (file: string) => path.join(this.#folder, file);
    const found = this.#service.getEditsForFileRename(full(from), full(to), {}, {});
    const edits = found.flatMap(({ fileName, textChanges }) =>
      textChanges.map(({ span, newText }) => ({
        file: path.relative(this.#folder, fileName),
        ...span,
        newText,
      })),
    );
    const isFurther = (target: string) =>
      path.relative(path.dirname(from), target) !== path.relative(path.dirname(to), target);
    const isKnown = ({ file, start }: Specifier) =>
      edits.some((edit) => edit.file === file && edit.start === start);
    const left = this.#left.filter(
      (one) =>
        (one.target === from || (one.file === from && isFurther(one.target))) && !isKnown(one),
    );
    return [...edits, ...left.map((one) => ({ ...one, newText: '' }))];
  }

  /**
   * What has to follow when a symbol gets another name, also where it is exported again; nothing
   * if it cannot have one, or would be renamed in the library, too.
   */
  rename({ file, name, at }: DeclaredName, newName: string): readonly Edit[] | undefined {
    const full = path.join(this.#folder, file);
    if (!this.#service.getRenameInfo(full, at, PREFERENCES).canRename) return undefined;
    const edits = this.#throughExports(full, at, name, newName);
    const isOurs = edits.length > 0 && !edits.some((edit) => edit.file.startsWith('..'));
    return isOurs ? edits : undefined;
  }

  /** All names that a file declares anywhere in it. */
  declaredNames(file: string): readonly DeclaredName[] {
    const source = this.#source(file);
    const names: DeclaredName[] = [];
    const todo: Node[] = [source];
    for (let node = todo.pop(); node; node = todo.pop()) {
      const { name } = node;
      if (name && this.#typescript.isIdentifier(name) && name.text && this.#declares(node)) {
        const at = name.getStart();
        const { line } = source.getLineAndCharacterOfPosition(at);
        names.push({ file, name: name.text, at, line: line + 1, isMember: this.#isMember(node) });
      }
      this.#typescript.forEachChild(node, (child) => void todo.push(child));
    }
    return names;
  }

  /** Imports, uses of members, and values for them have names, too. */
  #declares({ kind, parent }: Node): boolean {
    const { SyntaxKind } = this.#typescript;
    if (parent?.kind === SyntaxKind['ObjectLiteralExpression']) return false;
    return ![
      SyntaxKind['PropertyAccessExpression'],
      SyntaxKind['ImportSpecifier'],
      SyntaxKind['ImportClause'],
      SyntaxKind['NamespaceImport'],
      SyntaxKind['NamespaceExport'],
      SyntaxKind['ExportSpecifier'],
      SyntaxKind['NamedTupleMember'],
      SyntaxKind['MetaProperty'],
    ].includes(kind);
  }

  #isMember({ kind, modifiers = [] }: Node): boolean {
    const { SyntaxKind } = this.#typescript;
    const isProperty = kind === SyntaxKind['Parameter'] && modifiers.length > 0;
    return isProperty || MEMBERS.some((name) => SyntaxKind[name] === kind);
  }

  #throughExports(full: string, at: number, name: string, newName: string): readonly Edit[] {
    const found = new Map<string, Edit>();
    const todo = [{ fileName: full, start: at }];
    const asked = new Set<string>();
    for (let next = todo.shift(); next; next = todo.shift()) {
      const { fileName, start } = next;
      asked.add(`${fileName}:${start}`);
      for (const location of this.#locations(fileName, start)) {
        const key = `${location.fileName}:${location.textSpan.start}`;
        const isExport = location.suffixText === ` as ${name}`;
        if (isExport && !asked.has(key))
          todo.push({ fileName: location.fileName, start: location.textSpan.start });
        const edit = this.#edit(location, newName);
        if (isExport) found.set(key, { ...edit, newText: newName });
        else if (!found.has(key)) found.set(key, edit);
      }
    }
    return [...found.values()];
  }

  #locations(file: string, at: number): readonly RenameLocation[] {
    return this.#service.findRenameLocations(file, at, false, false, PREFERENCES) ?? [];
  }

  #edit({ fileName, textSpan, prefixText = '', suffixText = '' }: RenameLocation, newName: string) {
    const newText = prefixText + newName + suffixText;
    return { file: path.relative(this.#folder, fileName), ...textSpan, newText };
  }

  #source(file: string): SourceFile {
    const source = this.#service.getProgram().getSourceFile(path.join(this.#folder, file));
    if (!source) throw new Error(`${file} is not in the project`);
    return source;
  }
}
