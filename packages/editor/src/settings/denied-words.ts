import type { DenyRule } from './deny-rule.ts';

/** Settings of anybody that say by their name that they can do harm. */
export const DENIED_WORDS: readonly DenyRule[] = [
  {
    name: 'runs-programs',
    why: 'it names or starts a program, or says what a program loads',
    families: [
      ...['code-runner', 'debug', 'grunt', 'gulp', 'jake', 'launch', 'npm', 'php.validate'],
      ...['task', 'tasks', 'testing', 'js/ts.tsserver', 'typescript.tsserver'],
    ],
    words: [
      ...['args', 'arguments', 'argv', 'automation', 'bin', 'binaries', 'binary', 'browser'],
      ...['build', 'cmd', 'compiler', 'container', 'cwd', 'daemon', 'debugger', 'env'],
      ...['environment', 'environments', 'exe', 'exec', 'execute', 'execution', 'goroot', 'home'],
      ...['hook', 'hooks', 'invoke', 'jdk', 'kernel', 'launch', 'loader', 'node', 'npm'],
      ...['preload', 'process', 'program', 'programs', 'run', 'runner', 'script', 'scripts', 'sdk'],
      ...['server', 'servers', 'task', 'tasks', 'tool', 'toolchain', 'tools', 'vmargs'],
    ],
    parts: ['command', 'executable', 'interpreter', 'path', 'plugin', 'runtime', 'shell', 'tsdk'],
  },
  {
    name: 'network',
    why: 'it decides what is fetched, from where, and by which way',
    families: [
      ...['http', 'json.schemas', 'json.schemaDownload', 'yaml.schemas', 'yaml.schemaStore'],
      ...['css.customData', 'html.customData', 'less.customData', 'scss.customData'],
      'markdown.styles',
    ],
    words: [
      ...['domain', 'domains', 'endpoint', 'endpoints', 'host', 'hostname', 'hosts', 'http'],
      ...['port', 'ports', 'registry', 'uri', 'uris', 'url', 'urls', 'webhook'],
    ],
    parts: ['proxy'],
  },
  {
    name: 'credentials',
    why: 'it holds or chooses what somebody proves who they are with',
    words: [
      ...['account', 'accounts', 'apikey', 'auth', 'authentication', 'authorization', 'cert'],
      ...['certificate', 'certificates', 'certs', 'key', 'keys', 'login', 'token', 'tokens'],
    ],
    parts: ['credential', 'passphrase', 'password', 'secret'],
  },
  {
    name: 'permissions',
    why: 'it decides what is done without asking',
    words: [
      ...['allow', 'allowed', 'allowlist', 'approval', 'bypass', 'elevated', 'insecure', 'policy'],
      ...['privileged', 'unsafe', 'whitelist', 'yolo'],
    ],
    parts: ['approve', 'autorun', 'dangerous', 'permission', 'sandbox'],
  },
  {
    name: 'loss-of-work',
    why: 'it asks a person before something is lost, or keeps what was',
    families: [
      ...['files.enableTrash', 'files.hotExit', 'files.saveConflictResolution'],
      ...['explorer.enableUndo', 'workbench.localHistory'],
    ],
    words: ['ask', 'confirm', 'confirmation', 'prompt', 'trash'],
  },
];
