import { seeded, times } from '../make-tables.ts';
import type { TestCatalogue } from './catalogue.ts';

const { between, one, day, some, next } = seeded(13);

const users = times(30, (n) => ({
  id: n,
  userName: `user${n}`,
  displayName: `User ${n}`,
  isActive: n % 7 > 0,
}));
const projects = ['ABC', 'OPS', 'WEB', 'DOC', 'APP', 'LAB'].map((key, at) => ({
  id: at + 1,
  key,
  name: `Project ${key}`,
  leadId: between(1, 30),
}));
const labels = ['bug', 'feature', 'debt', 'urgent', 'docs', 'blocked'].map((name) => ({
  name,
  color: `#${between(100, 999)}`,
}));
const sprints = times(25, (n) => ({
  id: n,
  projectId: between(1, 6),
  name: `Sprint ${n}`,
  startsOn: day(2025),
}));
const issues = times(300, (n) => ({
  id: n,
  key: `${one(projects).key}-${n}`,
  projectId: between(1, 6),
  reporterId: between(1, 30),
  assigneeId: next() < 0.8 ? between(1, 30) : null,
  parentId: n > 50 && next() < 0.3 ? between(1, 50) : null,
  labels: some(labels, between(0, 3)).map(({ name }) => name),
  status: one(['todo', 'doing', 'done']),
  storyPoints: between(1, 13),
  createdAt: day(2025),
}));
const comments = times(400, (n) => ({
  id: n,
  issueId: between(1, 300),
  authorId: between(1, 30),
  body: `I have looked into it again, number ${n}, and it does happen on every machine that I own.`,
}));
const sprintIssues = sprints.flatMap(({ id }) =>
  some(issues, between(3, 9)).map((issue) => ({ sprintId: id, issueId: issue.id })),
);
const issueLinks = times(50, (n) => ({
  id: n,
  sourceIssueId: between(1, 150),
  targetIssueId: between(151, 300),
  kind: one(['blocks', 'relates', 'duplicates']),
}));

export const tracker: TestCatalogue = {
  tables: { users, projects, labels, sprints, issues, comments, sprintIssues, issueLinks },
  keys: {
    users: 'id',
    projects: 'id',
    labels: 'name',
    sprints: 'id',
    issues: 'id',
    comments: 'id',
    sprintIssues: 'sprintId + issueId',
    issueLinks: 'id',
  },
  labels: { users: 'displayName', projects: 'name', labels: 'name', sprints: 'name' },
  relations: [
    'projects.leadId → users.id',
    'sprints.projectId → projects.id',
    'issues.projectId → projects.id',
    'issues.reporterId → users.id',
    'issues.assigneeId → users.id',
    'issues.parentId → issues.id',
    'issues.labels *→ labels.name',
    'comments.issueId → issues.id',
    'comments.authorId → users.id',
    'sprintIssues.sprintId → sprints.id',
    'sprintIssues.issueId → issues.id',
    'issueLinks.sourceIssueId → issues.id',
    'issueLinks.targetIssueId → issues.id',
  ],
  links: ['sprintIssues', 'issueLinks'],
};
