import type { Environment } from '@baton/core';
import type { LocalConfiguration } from './local-configuration.ts';

const LFS = ['clean', 'smudge', 'process', 'required'].map((key) => `filter.lfs.${key}`);

/** Git has no switch for all hooks: each is switched off by its name. */
export function withoutHooks({ hooks }: LocalConfiguration): Environment {
  return asVariables(hooks.map((name) => [`hook.${name}.enabled`, 'false']));
}

/**
 * Nothing that the repository brings along runs, whoever has approved it: a worktree may be looked
 * at long after its plan, with nobody to ask.
 */
export function withoutCommands({ commands, hooks }: LocalConfiguration): Environment {
  const filters = commands.flatMap(({ name }) => /^(filter\..*)\.[^.]+$/s.exec(name)?.[1] ?? []);
  // Of git-lfs nothing else keeps what the repository has it run from running.
  const lfs = commands.some(({ name }) => name.startsWith('lfs.')) ? LFS : [];
  return {
    // Nothing is fetched either.
    GIT_NO_LAZY_FETCH: '1',
    ...asVariables([
      ...hooks.map((name) => [`hook.${name}.enabled`, 'false'] as const),
      ...commands.map(({ name }) => [name, ''] as const),
      ...lfs.map((name) => [name, ''] as const),
      ...[...new Set(filters)].map((filter) => [`${filter}.required`, 'false'] as const),
      // Taste must not keep anybody's work from being saved.
      ['core.safecrlf', 'false'],
    ]),
  };
}

/** In variables, as a name may have an equals sign in it. */
function asVariables(settings: readonly (readonly [name: string, value: string])[]): Environment {
  if (settings.length === 0) return {};
  const pairs = settings.flatMap(([name, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, name],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(pairs) };
}
