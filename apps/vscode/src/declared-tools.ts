/** A tool as package.json declares it, from the tool's definition (`npm run gen`). */
export interface DeclaredTool {
  /** `baton_` + the tool's own name: names are shared by all extensions. */
  readonly name: string;
  readonly displayName: string;
  readonly tags: readonly string[];
}

const PREFIX = 'baton_';

export function ownName({ name }: DeclaredTool): string {
  return name.slice(PREFIX.length);
}

export function isWriting({ tags }: DeclaredTool): boolean {
  return !tags.includes('read');
}

/** What is to be registered with the editor. */
export function chosenTools(
  declared: readonly DeclaredTool[],
  inProcess: 'editor' | 'all',
  isTrusted: boolean,
): DeclaredTool[] {
  return declared.filter(
    (tool) =>
      (inProcess === 'all' || tool.tags.includes('editor')) && (isTrusted || !isWriting(tool)),
  );
}
