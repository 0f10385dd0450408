import { type Changes, referencesAfter } from './references-after.ts';
import type { Handler, Session } from './session.ts';

// Runs in TypeScript's server, which VS Code starts. What it relies on is not public: where it is
// not as expected, nothing is installed, and the extension says that it cannot rename files.

/** Within this time, VS Code asks about a move on its own. */
const QUIET_MS = 30_000;

interface Paths {
  readonly oldFilePath: string;
  readonly newFilePath: string;
}

function install(session: Session): void {
  const { handlers } = session;
  const compute = handlers?.get?.('getEditsForFileRename') as Handler<Paths> | undefined;
  if (!handlers || !compute || handlers.has('_baton.editsForFileRename')) return;
  const quiet = new Map<string, number>();
  session.addProtocolHandler('_baton.editsForFileRename', compute);
  session.addProtocolHandler(
    '_baton.quietFileRename',
    ({ arguments: paths }: { arguments: Paths }) => {
      quiet.set(keyOf(paths), Date.now() + QUIET_MS);
      return { response: true, responseRequired: true };
    },
  );
  session.addProtocolHandler(
    '_baton.referencesAfter',
    ({ arguments: asked }: { arguments: Changes }) => ({
      response: referencesAfter(handlers, asked),
      responseRequired: true,
    }),
  );
  handlers.set('getEditsForFileRename', (request: { arguments: Paths }) => {
    const key = keyOf(request.arguments);
    const until = quiet.get(key) ?? 0;
    quiet.delete(key);
    return Date.now() < until ? { response: [], responseRequired: true } : compute(request);
  });
}

function keyOf({ oldFilePath, newFilePath }: Paths): string {
  return JSON.stringify([oldFilePath, newFilePath]);
}

/** What TypeScript's server asks a plugin for. */
export function createPlugin() {
  return {
    create(info: { readonly languageService: object; readonly session?: Session }) {
      if (info.session) install(info.session);
      return info.languageService;
    },
  };
}
