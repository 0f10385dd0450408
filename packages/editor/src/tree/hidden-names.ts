import { protectedPlace } from '@baton/core';

/** Folders that hold what a project runs or is built with; others are caches, and can be huge. */
const FOLDERS = new Set(
  [
    '.azure .azure-pipelines .buildkite .builds .changeset .ci .circleci .config .devcontainer',
    '.forgejo .gitea .githooks .github .gitlab .husky .ladle .pipelines .scripts .semaphore',
    '.storybook .tekton .vitepress .vscode .vuepress .woodpecker',
  ].flatMap((line) => line.split(' ')),
);

/** What Baton writes beside a file before it replaces it. */
const OURS = /^\.baton(-|$)/;
const SECRETS = /^\.env(\.|$)/;

/** Whether a name that begins with a point is looked at: CI and tools mention files and import them. */
export function isHiddenWanted(name: string, isFolder: boolean): boolean {
  if (isFolder) return FOLDERS.has(name);
  return !OURS.test(name) && !SECRETS.test(name) && protectedPlace(name)?.rule !== 'startup-files';
}
