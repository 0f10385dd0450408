import { createToken, readToken, userTokenFile } from '@baton/runtime';
import * as vscode from 'vscode';
import { chosenTools, type DeclaredTool } from './declared-tools.ts';
import { WindowLink } from './editor/window-link.ts';
import { HttpServers, type HttpWish } from './http-servers.ts';
import { InProcessTools } from './in-process-tools.ts';
import { type Launch, type LaunchOptions, launchOf } from './launch.ts';
import type { Log } from './log.ts';
import { offersOf } from './offers.ts';
import { httpDefinitions, type Offer, stdioDefinition } from './server-definitions.ts';
import { readSettings, type Settings } from './settings.ts';
import { StatusBoard } from './status.ts';
import { httpStatus, windowStatus } from './status-of-window.ts';
import { ToolClients } from './tool-clients.ts';
import { folderOnScreen, localFolders } from './workspace-folders.ts';

/** Whether this editor takes MCP servers from extensions; some forks do not. */
export const takesServers = (): boolean =>
  typeof vscode.lm?.registerMcpServerDefinitionProvider === 'function';
const takesTools = (): boolean => typeof vscode.lm?.registerTool === 'function';

/** Everything that Baton does for one window, kept in line with settings, folders and trust. */
export class BatonWindow {
  readonly board: StatusBoard;
  /** The window's own servers, for its chats; they do without what is registered in-process. */
  readonly #own: HttpServers;
  /** The servers for other clients, with every tool. */
  readonly others: HttpServers;
  readonly #tools: InProcessTools;
  readonly #clients: ToolClients;
  /** What tools ask of the editor goes this way; opened with the first child that may. */
  readonly #link: WindowLink;
  readonly #definitionsChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeDefinitions = this.#definitionsChanged.event;
  readonly #extension: vscode.Extension<unknown>;
  readonly #log: Log;
  /** Without problems, so that the first update tells them. */
  #settings: Settings = { ...readSettings(), problems: [] };
  #offers: readonly Offer[] = [];
  #definitions = '';
  /** What a command has asked for since the settings last changed. */
  #httpAsked: boolean | undefined;

  constructor(extension: vscode.Extension<unknown>, log: Log) {
    this.#extension = extension;
    this.#log = log;
    const onLog = log.line;
    const onState = () => this.#onServers();
    this.#own = new HttpServers({ chooseToken: createToken, onLog, onState });
    this.others = new HttpServers({
      // One that lasts, if there is one: what clients have been told then stays true.
      chooseToken: () => readToken(userTokenFile()) ?? createToken(),
      onLog,
      onState,
    });
    this.#link = new WindowLink(log);
    this.#clients = new ToolClients({ version: this.version, onLog });
    this.#tools = new InProcessTools({
      clients: this.#clients,
      log,
      launch: () => {
        const folder = folderOnScreen();
        if (!folder) return undefined;
        this.#link.open();
        return this.#launchIn(folder);
      },
    });
    this.board = new StatusBoard(this.#status(), log);
  }

  get version(): string {
    return this.#extension.packageJSON.version;
  }

  get settings(): Settings {
    return this.#settings;
  }

  /** Called when a setting, a folder or the trust in them has changed. */
  async update(): Promise<void> {
    const before = this.#settings;
    this.#settings = readSettings();
    if (JSON.stringify(before) !== JSON.stringify(this.#settings)) {
      this.#httpAsked = undefined;
      for (const problem of this.#settings.problems) this.#log.write('warn', problem);
    }
    if (takesTools()) this.#tools.set(this.#wantedTools());
    this.#offers = offersOf({
      ...this.#facts(),
      version: this.version,
      withoutTools: this.#tools.names,
      folders: localFolders(),
    });
    const working = Promise.all([
      this.#own.set(this.#ownWishes()),
      this.#setOthers(),
      this.#clients.retain(localFolders().map(({ path: folder }) => this.#launchIn(folder))),
    ]);
    this.#onServers();
    await working;
    this.#onServers();
  }

  provideDefinitions(): vscode.McpServerDefinition[] {
    if (!this.#settings.autoRegister) return [];
    if (this.#settings.transport === 'stdio') return this.#offers.map(stdioDefinition);
    const { servers } = this.#own;
    return this.#offers.flatMap((offer) => httpDefinitions(offer, servers.get(offer.folder)));
  }

  /** Starts or stops the servers for other clients until a setting says something else. */
  async askHttp(isWanted: boolean): Promise<void> {
    this.#httpAsked = isWanted;
    await this.#setOthers();
    await this.others.settled();
    this.#onServers();
  }

  /** Everything that this window has started starts anew. */
  async restart(): Promise<void> {
    await Promise.all([this.#clients.retain([]), this.#own.restart(), this.others.restart()]);
    this.#onServers();
  }

  async dispose(): Promise<void> {
    this.#tools.dispose();
    await Promise.all([
      this.#clients.retain([]),
      this.#own.set(new Map()),
      this.others.set(new Map()),
    ]);
    this.#link.dispose();
    this.#definitionsChanged.dispose();
    this.board.dispose();
  }

  #launchIn(folder: string): Launch {
    return launchOf(this.#linked({ ...this.#facts(), folder }), 'stdio');
  }

  /** Not for what VS Code starts: definitions can be read by others. */
  #linked(options: LaunchOptions): LaunchOptions {
    return { ...options, link: this.#link.address };
  }

  #facts() {
    return { extension: this.#extension.extensionPath, isTrusted: vscode.workspace.isTrusted };
  }

  #wantedTools(): DeclaredTool[] {
    const declared: DeclaredTool[] =
      this.#extension.packageJSON.contributes.languageModelTools ?? [];
    return chosenTools(declared, this.#settings.inProcess, vscode.workspace.isTrusted);
  }

  #ownWishes(): Map<string, HttpWish> {
    const { autoRegister, transport } = this.#settings;
    if (!autoRegister || transport !== 'http' || !takesServers()) return new Map();
    const wishes = this.#offers.map((offer): [string, HttpWish] => [
      offer.folder,
      { launch: launchOf(this.#linked(offer)), port: 0 },
    ]);
    if (wishes.length > 0) this.#link.open();
    return new Map(wishes);
  }

  #setOthers(): Promise<void> {
    const { httpEnabled, httpPort } = this.#settings;
    const isWanted = this.#httpAsked ?? httpEnabled;
    const port = isWanted && httpPort.kind === 'port' ? httpPort.port : undefined;
    if (port === undefined) return this.others.set(new Map());
    // A port is for one server only: those of further folders take any that is free.
    const wishes = localFolders().map(({ path: folder }, index): [string, HttpWish] => [
      folder,
      {
        launch: launchOf(this.#linked({ ...this.#facts(), folder })),
        port: index === 0 ? port : 0,
      },
    ]);
    if (wishes.length > 0) this.#link.open();
    return this.others.set(new Map(wishes));
  }

  #status() {
    const isHttpWanted = this.#httpAsked ?? this.#settings.httpEnabled;
    return {
      version: this.version,
      window: windowStatus({
        settings: this.#settings,
        takesServers: takesServers(),
        offers: this.#offers,
        servers: this.#own.servers,
        inProcess: this.#tools.names,
        isTrusted: vscode.workspace.isTrusted,
      }),
      http: httpStatus(isHttpWanted, this.#settings.httpPort, this.others.servers),
    };
  }

  #onServers(): void {
    this.board.set(this.#status());
    const definitions = JSON.stringify(this.provideDefinitions());
    if (definitions === this.#definitions) return;
    this.#definitions = definitions;
    this.#definitionsChanged.fire();
  }
}
