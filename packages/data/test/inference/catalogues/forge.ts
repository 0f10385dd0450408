import { seeded, times } from '../make-tables.ts';
import type { TestCatalogue } from './catalogue.ts';

const { between, one, day, some } = seeded(45);
const sha = () => Array.from({ length: 40 }, () => between(0, 15).toString(16)).join('');

const users = times(35, (n) => ({
  login: `dev-${n}`,
  id: 1_000_000 + n * 7919 + between(0, 900),
  created_at: day(2015),
  followers: between(0, 900),
}));
const repos = times(20, (n) => ({
  id: 50_000_000 + n * 104_729 + between(0, 900),
  full_name: `org/repo-${n}`,
  owner_login: one(users).login,
  stars: between(0, 4000),
  forked_from: null as number | null,
}));
for (const each of repos.slice(12)) each.forked_from = one(repos.slice(0, 6)).id;
const commits = times(240, () => ({
  sha: sha(),
  repo_id: one(repos).id,
  author_login: one(users).login,
  committed_on: day(2025),
  additions: between(1, 400),
}));
const pull_requests = times(80, (n) => ({
  id: 900_000_000 + n * 1_299_709,
  repo_id: one(repos).id,
  number: between(1, 500),
  user_login: one(users).login,
  merge_commit_sha: n % 4 === 0 ? null : one(commits).sha,
  state: one(['open', 'merged', 'closed']),
}));
const reviews = times(120, (n) => ({
  id: 70_000 + n,
  pull_request_id: one(pull_requests).id,
  reviewer: one(users).login,
  verdict: one(['approve', 'comment']),
}));
const teams = times(6, (n) => ({
  slug: `team-${n}`,
  name: `Team ${n}`,
  maintainers: some(users, 2).map(({ login }) => login),
}));
const team_members = teams.flatMap(({ slug }) =>
  some(users, between(3, 8)).map(({ login }) => ({
    team_slug: slug,
    user_login: login,
    added_on: day(2024),
  })),
);
const team_repos = teams.flatMap(({ slug }) =>
  some(repos, between(1, 4)).map(({ id }) => ({
    team_slug: slug,
    repo_id: id,
    permission: one(['read', 'write']),
  })),
);

export const forge: TestCatalogue = {
  tables: { users, repos, commits, pull_requests, reviews, teams, team_members, team_repos },
  keys: {
    users: 'id',
    repos: 'id',
    commits: 'sha',
    pull_requests: 'id',
    reviews: 'id',
    teams: 'slug',
    team_members: 'team_slug + user_login',
    team_repos: 'team_slug + repo_id',
  },
  labels: { users: 'login', repos: 'full_name', teams: 'name' },
  relations: [
    'repos.owner_login → users.login',
    'repos.forked_from → repos.id',
    'commits.repo_id → repos.id',
    'commits.author_login → users.login',
    'pull_requests.repo_id → repos.id',
    'pull_requests.user_login → users.login',
    'pull_requests.merge_commit_sha → commits.sha',
    'reviews.pull_request_id → pull_requests.id',
    'reviews.reviewer → users.login',
    'teams.maintainers *→ users.login',
    'team_members.team_slug → teams.slug',
    'team_members.user_login → users.login',
    'team_repos.team_slug → teams.slug',
    'team_repos.repo_id → repos.id',
  ],
  links: ['team_members', 'team_repos'],
};
