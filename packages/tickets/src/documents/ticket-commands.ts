import {
  type CheckDefinition,
  type CommandFile,
  type TrustedCommand,
  trustedCommand,
} from '@baton/core';

/** Lets a person see and approve the checks in the file of a ticket. */
export const ticketCommands: CommandFile = {
  reads: (file) => /\.md$/i.test(file),
  async find(text, file) {
    // Every process knows this, and few ever read such a file.
    const { readTicketDocument } = await import('./ticket-file.ts');
    const { checks } = await readTicketDocument(text, file);
    return { commands: checkCommands(checks) };
  },
};

/** The checks of a ticket, as a person approves them. */
export function checkCommands(checks: readonly CheckDefinition[]): TrustedCommand[] {
  return checks.map((check, index) => trustedCommand(`check ${index + 1}`, check));
}
