import { planSchemas } from '@baton/runtime';
import * as z from 'zod';

const REFERENCE = `\${job.output} is replaced by what a needed job has written to $BATON_OUTPUT.`;

/*
 * What an editor shows for each key. Not in the Zod schema itself: there it would stand in every
 * list of tools too, where each word costs tokens.
 */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  name: 'What the plan is called in lists and views.',
  jobs: 'What is done: each job after those that it needs, the others in parallel.',
  env: 'Variables that all jobs see.',
  maxParallel: 'How many jobs of this plan may run at once. 0: any number.',
  after: 'The id of a plan: this one starts when that one has succeeded.',
  paused: 'Do not start by itself, but with `baton plan start`.',
  git: 'Each job works in a git worktree of its own and ends with a commit; a last job, `land`, brings all results together. {} is enough.',
  'git.base': 'The branch, tag or commit that jobs begin with. Default: HEAD.',
  'git.target': "The branch that the results land on. Default: only the plan's own, baton/….",
  'git.intoDefault': 'Allow the target to be the default branch of the repository.',
  'git.setup': 'Commands that ready each new worktree.',
  'git.verify': 'Commands that must succeed on all results together before they land.',
  'git.link':
    'Folders that worktrees share with the checkout, such as node_modules, from the top of the repository.',
  'git.keep': 'Whose worktrees stay: those of attempts that failed (the default), always or never.',
  'jobs.before': 'Commands that must succeed before its work. For plans with `git`.',
  'jobs.checks':
    'Commands that must succeed at the very commit that its work became. For plans with `git`.',
  'jobs.noChanges':
    'It changes no file. Otherwise a job that changes nothing fails, unless its output `evidence` says why.',
  'jobs.touches':
    'Globs of what it changes. Of jobs that touch the same, the later one goes on with the result of the earlier.',
  'jobs.repository': 'The folder of another repository in the workspace.',
  'jobs.id': 'The name of the job, unique in the plan: 3 to 64 of a-z, 0-9 and -.',
  'jobs.work': 'What it runs: a shell command, or an object with `type`.',
  'jobs.needs': 'Ids of jobs that must have succeeded before.',
  'jobs.name': 'What people see beside the id.',
  'jobs.task': 'What the job is for, in words.',
  'jobs.group': 'Where it stands in views, as in checks/unit. Changes nothing about when it runs.',
  'jobs.retry':
    'How often it is tried again when it fails, with growing pauses; or how often for each reason, such as check_failed. never: not even when it was not its own fault, such as a machine that went down.',
  'work.type':
    'shell: a command line. process: a program with arguments, without any shell. ticket: work for a person or an agent.',
  'work.command': 'The command line. Of outputs it sees those that are passed in `env`.',
  'work.shell': 'Which shell, such as bash, zsh or pwsh. Default: sh, on Windows cmd.',
  'work.executable': 'The program: a name that is looked for in PATH, or a path.',
  'work.args': `Its arguments. ${REFERENCE}`,
  'work.cwd': 'The folder that it runs in, relative to the workspace.',
  'work.env': `Its own variables. ${REFERENCE}`,
  'work.timeoutSeconds': 'It is ended with all its processes after so long.',
  'work.title': `What the ticket is about. The job waits until the ticket is over. ${REFERENCE}`,
  'work.body': `What there is to know about it. ${REFERENCE}`,
  'work.kind': 'Who should take it: an agent (the default), a person, or whoever has the answer.',
  'work.priority': 'Its priority, 1 to 5.',
  'work.labels': 'Words to find it by.',
  'work.assignee': 'Whom it is meant for.',
  'work.checks': 'Commands that must succeed before the ticket counts as done.',
  'work.maxAttempts': 'How often it may be tried before it has failed.',
};

const EXAMPLES = [
  {
    name: 'Check and build',
    jobs: [
      { id: 'lint', work: 'npm run lint' },
      {
        id: 'test',
        retry: 1,
        work: { type: 'process', executable: 'npm', args: ['test'], timeoutSeconds: 600 },
      },
      { id: 'build', work: 'npm run build', needs: ['lint', 'test'] },
    ],
  },
];

type Schema = z.core.JSONSchema.BaseSchema;

/** The JSON Schema of plan files, for editors. Generated, so that it says what Baton checks. */
export function planSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(planSchemas().planFile, {
    io: 'input',
    target: 'draft-2020-12',
    override: ({ jsonSchema, path }) => describe(jsonSchema, path),
  });
  const title = 'Baton plan';
  const described = { $schema, title, ...schema, examples: EXAMPLES };
  return `${JSON.stringify(described, null, 2)}\n`;
}

function describe(schema: Schema, path: readonly (string | number)[]): void {
  delete schema['listAs']; // For lists of tools only.
  const steps = path
    .map(String)
    .filter((step) => !/^(properties|items|anyOf|oneOf|\d+)$/.test(step));
  const [first, second, third] = steps;
  // A check has the same keys as work that runs.
  const isOfWork = first === 'jobs' && second === 'work' && third;
  const key = isOfWork ? `work.${steps.at(-1)}` : steps.join('.');
  const isWhole = ['properties', undefined].includes(path.at(-2)?.toString());
  const description = DESCRIPTIONS[key];
  if (description && isWhole) schema.description = description;
  // For lists of tools only.
  delete (schema as { listAs?: object }).listAs;
}
