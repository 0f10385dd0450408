import type { Claimed } from '@baton/plans/jobs';

const SUBJECT_LENGTH = 72;

/** What a job is for, and where it comes from. */
export function commitMessage({ plan, job }: Claimed, subject?: string): string {
  const { name, task = '' } = job.definition;
  const [firstLine = ''] = (subject ?? name ?? (task || job.id)).split('\n');
  const short = firstLine.trim().slice(0, SUBJECT_LENGTH) || job.id;
  const body = task.trim() && task.trim() !== short ? `${task.trim()}\n\n` : '';
  return `${short}\n\n${body}Baton-Plan: ${plan.id}\nBaton-Job: ${job.id}\n`;
}
