import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { temporaryFolder } from '@baton/testkit';
import { expect, test } from 'vitest';
import { type Config, loadConfig } from '../src/config.ts';
import { type SettingName, settingsSchema } from '../src/settings.ts';
import { workspaceServers } from '../src/trust/language-servers.ts';

interface Given {
  readonly user?: object;
  readonly workspace?: object | string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly flags?: object;
}

async function configOf({ user, workspace, env = {}, flags = {} }: Given) {
  using folder = temporaryFolder();
  const userFile = path.join(folder.path, 'user.yaml');
  const workspaceFile = path.join(folder.path, '.baton', 'config.yaml');
  mkdirSync(path.dirname(workspaceFile));
  symlinkSync('/', path.join(folder.path, 'everything'));
  const write = (file: string, settings: object | string | undefined) => {
    if (settings === undefined) return;
    writeFileSync(file, typeof settings === 'string' ? settings : JSON.stringify(settings));
  };
  write(userFile, user);
  write(workspaceFile, workspace);
  const config = await loadConfig({
    flags,
    env,
    workspace: { path: folder.path, foundBy: 'folder' },
    userFile,
  });
  return { config, folder: folder.path, userFile, workspaceFile };
}

test.each([
  [undefined, true],
  ['true', true],
  ['off', false],
])('whether the machine is kept awake, with BATON_KEEP_AWAKE=%s', async (value, expected) => {
  const { config } = await configOf({ env: { BATON_KEEP_AWAKE: value } });
  expect(config.keepAwake).toBe(expected);
});

/** A user's limit, what a repository would rather have, and what counts. */
interface Row {
  readonly user: unknown;
  readonly hostile: unknown;
  readonly counts?: unknown;
  /** Whether the user is told: always, unless the file is stricter or merely says less. */
  readonly isTold: boolean;
  readonly pick?: (config: Config) => unknown;
}

const insideOf =
  (name: 'knowledge' | 'prompts' | 'data') =>
  (config: Config): unknown =>
    config[name].map((folder) => [folder.name, folder.within !== undefined]);
const outside = (name: 'knowledge' | 'prompts' | 'data'): Row => ({
  user: ['/mine'],
  hostile: ['everything/etc'],
  // Read only where it does not lead out, which packages/folders looks at again at each reading.
  counts: [
    ['everything/etc', true],
    ['/mine', false],
  ],
  isTold: true,
  pick: insideOf(name),
});

const ROWS: Readonly<Record<SettingName, Row>> = {
  logLevel: { user: 'error', hostile: 'debug', isTold: true },
  toolsets: {
    user: ['plans', 'data'],
    hostile: ['data', 'editor'],
    counts: ['data'],
    isTold: false,
  },
  withoutTools: {
    user: ['plan_create'],
    hostile: ['status'],
    counts: ['plan_create', 'status'],
    isTold: false,
  },
  readOnly: { user: true, hostile: false, isTold: false },
  maxMessageBytes: { user: 2048, hostile: 4096, isTold: true },
  port: { user: 4000, hostile: 1, isTold: true },
  worker: { user: 'off', hostile: 'inline', isTold: true },
  workerIdleSeconds: { user: 5, hostile: 86_400, isTold: true },
  maxJobs: { user: 1, hostile: 0, isTold: true },
  maxClaims: { user: 2, hostile: 0, isTold: false },
  passEnv: { user: ['LANG'], hostile: ['AWS_SECRET_ACCESS_KEY'], isTold: true },
  keepAwake: { user: false, hostile: true, isTold: true },
  knowledge: outside('knowledge'),
  prompts: outside('prompts'),
  data: outside('data'),
  languageServers: {
    user: {},
    hostile: { python: { command: ['evil'], files: ['.py'] } },
    isTold: false, // It runs after approval, which test/e2e/editor looks at.
  },
  allowedSettings: { user: ['a.b'], hostile: ['chat.tools.autoApprove'], isTold: true },
};

test.each(Object.keys(settingsSchema().shape) as SettingName[])(
  `${cites('T52')} what a user has limited, no repository loosens: %s`,
  async (name) => {
    const row = ROWS[name];
    expect(row, `${name} needs a row: what may a repository do to it?`).toBeDefined();
    const { user, hostile, counts = user, isTold, pick = (config) => config[name] } = row;
    const workspace = `# A comment.\n${name}: ${JSON.stringify(hostile)}\n`;
    const { config, workspaceFile } = await configOf({ user: { [name]: user }, workspace });
    expect(pick(config)).toEqual(counts);
    expect(config.refusals).toHaveLength(isTold ? 1 : 0);
    if (isTold) expect(config.refusals[0]).toContain(`${workspaceFile}:2 (${name}`);
    expect(config.warnings).toEqual(config.refusals);
  },
);

test.each(
  Object.entries(ROWS).flatMap(([name, { isTold, hostile, pick }]) =>
    isTold && !pick ? [[name as SettingName, hostile] as const] : [],
  ),
)(`${cites('T52')} nor decides it where the user has said nothing: %s`, async (name, hostile) => {
  const usual = await configOf({});
  const { config } = await configOf({ workspace: { [name]: hostile } });
  expect(config[name]).toEqual(usual.config[name]);
  // A value that makes no sense is as good as any: it is not looked at.
  await configOf({ workspace: { [name]: { no: 'sense' } } });
});

const asVariable = (name: string, value: unknown) => ({
  [`BATON_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`]: String(value),
});

test.each(
  Object.entries(ROWS).flatMap(([name, row]) =>
    row.pick || name === 'languageServers' ? [] : [[name as SettingName, row] as const],
  ),
)(
  `${cites('T52')} nor where the limit stands in a variable or a flag: %s`,
  async (name, { user, hostile, counts = user }) => {
    const workspace = { [name]: hostile };
    const limited = [
      { env: asVariable(name, user) },
      { flags: { [name]: String(user) } },
      // The user's own file says less than what they have said now.
      { user: { [name]: hostile }, flags: { [name]: user } },
    ];
    for (const given of limited) {
      const { config } = await configOf({ ...given, workspace });
      if (name === 'withoutTools')
        expect(config[name]).toEqual(expect.arrayContaining([user].flat()));
      else expect(config[name]).toEqual(counts);
    }
  },
);

test(`${cites('T52')} all that a file may not set is told in one warning, with its lines`, async () => {
  const workspace = 'port: 1\ntoolsets: [plans]\n\nlogLevel: debug\npassEnv: [HOME]\n';
  const { config, workspaceFile: file, userFile } = await configOf({ workspace });
  expect(config.refusals).toEqual([
    `Ignored: ${file}:1 (port), ${file}:4 (logLevel), ${file}:5 (passEnv). A workspace can only narrow what you allow; set this in ${userFile}.`,
  ]);
  expect(config.toolsets).toEqual(['plans']);
});

test(`${cites('T52')} tools that one source leaves out are left out, whatever the others say`, async () => {
  const { config } = await configOf({
    user: { withoutTools: ['a'] },
    workspace: { withoutTools: ['b', 'a'] },
    env: { BATON_WITHOUT_TOOLS: 'c' },
    flags: { withoutTools: 'd,c' },
  });
  expect(config.withoutTools).toEqual(['a', 'c', 'd', 'b']);
});

test(`${cites('T52')} toolsets that have none in common leave none, and the user is told`, async () => {
  const { config, workspaceFile } = await configOf({
    env: { BATON_TOOLSETS: 'plans' },
    workspace: { toolsets: ['data'] },
  });
  expect(config.toolsets).toEqual([]);
  expect(config.refusals).toEqual([
    `${workspaceFile}:1 (toolsets) names none of yours, so that none is left.`,
  ]);
});

test.each([
  [undefined, 3, 3],
  [5, 3, 3],
  [3, 5, 3],
  [0, 4, 4],
  [4, undefined, 4],
])(
  `${cites('T52')} maxClaims %s of the user and %s of a workspace are %s`,
  async (user, workspace, counts) => {
    const { config } = await configOf({
      user: { maxClaims: user },
      workspace: { maxClaims: workspace },
    });
    expect(config.maxClaims).toBe(counts);
  },
);

test(`${cites('T52')} folders inside of the workspace, and strictness, are a repository’s to choose`, async () => {
  const { config, folder } = await configOf({
    workspace: { knowledge: ['docs'], data: 'records', prompts: ['p'], readOnly: true },
  });
  expect(config).toMatchObject({
    knowledge: [{ name: 'docs', path: path.join(folder, 'docs'), within: folder }],
    data: [{ name: 'records', within: folder }],
    prompts: [{ name: 'p', within: folder }],
    readOnly: true,
    refusals: [],
  });
});

test(`${cites('T54')} a .baton of another user is not read`, async () => {
  using folder = temporaryFolder();
  mkdirSync(path.join(folder.path, '.baton'));
  writeFileSync(
    path.join(folder.path, '.baton', 'config.yaml'),
    'readOnly: true\nknowledge: [x]\nlanguageServers: {x: {command: [evil], files: [.x]}}\n',
  );
  const workspace = { path: folder.path, foundBy: 'folder', hasForeignFolder: true } as const;
  const userFile = path.join(folder.path, 'user.yaml');
  const config = await loadConfig({ flags: {}, env: {}, workspace, userFile });
  expect(config).toMatchObject({ readOnly: false, knowledge: [], files: [] });
  expect(await workspaceServers(workspace)).toBeUndefined();
  const { hasForeignFolder: _, ...own } = workspace;
  expect(Object.keys((await workspaceServers(own))?.servers ?? {})).toEqual(['x']);
});
