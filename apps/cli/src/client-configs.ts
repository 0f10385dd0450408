import { builtInTools } from '@baton/runtime';

export interface ClientConfig {
  readonly client: string;
  /** Where to paste it. */
  readonly where: string;
  readonly text: string;
}

const json = (value: object) => JSON.stringify(value);

/**
 * What each client needs to reach `baton serve`. `inShell` stands for the token where a shell
 * reads it.
 */
export function clientConfigs(
  url: string,
  token: string,
  inShell = token,
): readonly ClientConfig[] {
  const headers = { Authorization: `Bearer ${token}` };
  return [
    {
      client: 'Claude Code',
      where: 'a shell',
      text: `claude mcp add --transport http baton ${url} --header "Authorization: Bearer ${inShell}"`,
    },
    {
      client: 'VS Code, VSCodium',
      where: '.vscode/mcp.json',
      text: json({ servers: { baton: { type: 'http', url, headers } } }),
    },
    {
      client: 'Codex',
      where: '~/.codex/config.toml',
      text: `[mcp_servers.baton]\nurl = "${url}"\nhttp_headers = { Authorization = "Bearer ${token}" }`,
    },
    {
      client: 'Gemini CLI',
      where: '~/.gemini/settings.json',
      text: json({ mcpServers: { baton: { httpUrl: url, headers } } }),
    },
    {
      client: 'opencode',
      where: 'opencode.json',
      text: json({
        mcp: { baton: { type: 'remote', url, headers } },
        permission: askBeforeCommands(),
      }),
    },
    {
      client: 'Cursor and others',
      where: 'their mcp.json',
      text: json({ mcpServers: { baton: { url, headers } } }),
    },
  ];
}

/** opencode goes by rules alone: without them it asks about no tool, whatever its hints say. */
function askBeforeCommands(): Readonly<Record<string, 'ask'>> {
  const running = builtInTools.filter(({ effect }) => effect === 'run');
  return Object.fromEntries(running.map(({ name }) => [`baton_${name}`, 'ask']));
}
