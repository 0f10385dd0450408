import type { Settings } from './settings.ts';

/** The settings that a workspace's file can only make stricter, with the user's own. */
export function narrow(
  user: Settings,
  workspace: Settings,
): Pick<Settings, 'toolsets' | 'withoutTools' | 'readOnly' | 'maxClaims'> {
  return {
    toolsets: inBoth(user.toolsets, workspace.toolsets),
    withoutTools: inEither(user.withoutTools, workspace.withoutTools),
    readOnly: user.readOnly === true || workspace.readOnly === true,
    maxClaims: lowerLimit(user.maxClaims, workspace.maxClaims),
  };
}

type Names = string[] | undefined;

function inBoth(one: Names, other: Names): Names {
  if (!one || !other) return one ?? other;
  return one.filter((name) => other.includes(name));
}

/** What one source leaves out, no other brings back. */
export function inEither(...lists: readonly Names[]): Names {
  const given = lists.flatMap((list) => list ?? []);
  return given.length > 0 ? [...new Set(given)] : undefined;
}

/** 0 is no limit, and so is nothing. */
function lowerLimit(one = 0, other = 0): number {
  return one === 0 || other === 0 ? Math.max(one, other) : Math.min(one, other);
}
