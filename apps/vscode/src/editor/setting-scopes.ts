import * as vscode from 'vscode';

const SCHEMA = vscode.Uri.parse('vscode://schemas/settings/default');
/** ConfigurationScope of VS Code: application, machine, both, machine-overridable. */
const OF_MACHINE = new Set([1, 2, 3, 7]);

/** Whether VS Code knows a setting to be of the machine or the application. */
export async function isOfMachine(key: string): Promise<boolean> {
  try {
    const document = await vscode.workspace.openTextDocument(SCHEMA);
    const { properties } = JSON.parse(document.getText());
    return Object.hasOwn(properties, key) && OF_MACHINE.has(properties[key]?.scope);
  } catch {
    return false; // It is not documented, and not needed: the rules have been applied already.
  }
}
