/** The little of TypeScript 6 that judges; version 7, which is installed here, has no such API. */
export interface TypeScript {
  readonly sys: object;
  readonly ScriptSnapshot: { fromString(text: string): object };
  readonly SyntaxKind: Readonly<Record<string, number>>;
  getDefaultLibFilePath(options: object): string;
  getParsedCommandLineOfConfigFile(
    file: string,
    options: object,
    host: object,
  ): { readonly fileNames: readonly string[]; readonly options: object } | undefined;
  createLanguageService(host: object): LanguageService;
  resolveModuleName(
    name: string,
    from: string,
    options: object,
    host: object,
  ): { readonly resolvedModule?: { readonly resolvedFileName: string } };
  forEachChild(node: Node, visit: (child: Node) => void): void;
  isIdentifier(node: Node): boolean;
}

export interface Node {
  readonly kind: number;
  readonly end: number;
  readonly name?: Node;
  readonly parent?: Node;
  readonly text?: string;
  readonly modifiers?: readonly Node[];
  getStart(): number;
}

export interface SourceFile extends Node {
  readonly fileName: string;
  readonly text: string;
  readonly imports?: readonly Node[];
  readonly moduleAugmentations?: readonly Node[];
  getLineAndCharacterOfPosition(at: number): { readonly line: number; readonly character: number };
}

interface Span {
  readonly start: number;
  readonly length: number;
}

export interface RenameLocation {
  readonly fileName: string;
  readonly textSpan: Span;
  readonly prefixText?: string;
  readonly suffixText?: string;
}

export interface LanguageService {
  getProgram(): { getSourceFile(file: string): SourceFile | undefined };
  getEditsForFileRename(
    from: string,
    to: string,
    format: object,
    preferences: object,
  ): readonly {
    readonly fileName: string;
    readonly textChanges: readonly { readonly span: Span; readonly newText: string }[];
  }[];
  getRenameInfo(file: string, at: number, preferences: object): { readonly canRename: boolean };
  findRenameLocations(
    file: string,
    at: number,
    inStrings: boolean,
    inComments: boolean,
    preferences: object,
  ): readonly RenameLocation[] | undefined;
}
