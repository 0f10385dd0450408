import { escapeControls } from '@baton/core';
import type { ToolResult } from '@baton/mcp/client';
import * as vscode from 'vscode';

type Part = ToolResult['content'][number];

// Not among the types of the oldest VS Code that we support, and perhaps not in every fork.
const { LanguageModelDataPart } = vscode as {
  readonly LanguageModelDataPart?: new (
    data: Uint8Array,
    mimeType: string,
  ) => vscode.LanguageModelTextPart;
};

/** What a client over MCP shows its model, a failure included. */
export function toEditorResult({ content }: ToolResult): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult(content.map(toEditorPart));
}

function toEditorPart(part: Part): vscode.LanguageModelTextPart {
  switch (part.type) {
    case 'text':
      return new vscode.LanguageModelTextPart(part.text);
    case 'image':
    case 'audio':
      return LanguageModelDataPart
        ? new LanguageModelDataPart(Buffer.from(part.data, 'base64'), part.mimeType)
        : new vscode.LanguageModelTextPart(`[${part.mimeType}]`);
    case 'resource':
      return new vscode.LanguageModelTextPart(
        'text' in part.resource ? part.resource.text : `[${part.resource.uri}]`,
      );
    case 'resource_link':
      return new vscode.LanguageModelTextPart(part.uri);
  }
}

/** A call that came to no result, as a result: the model reads the reason and the next step. */
export function failure(message: string, next: string): vscode.LanguageModelToolResult {
  const text = escapeControls(`${message}\nNext: ${next}`);
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
}
