import { escapeLine, type LogLevel } from '@baton/core';
import type * as vscode from 'vscode';
import { readLogLine } from './log-line.ts';

/** The output channel "Baton": one event, one line, whatever a folder or a program is called. */
export class Log {
  readonly #channel: vscode.LogOutputChannel;

  constructor(channel: vscode.LogOutputChannel) {
    this.#channel = channel;
  }

  write(level: LogLevel, message: string): void {
    this.#channel[level](escapeLine(message));
  }

  /** A line of a child's own log, which has a level. */
  readonly line = (line: string): void => {
    const { level, message } = readLogLine(line);
    this.write(level, message);
  };

  show(): void {
    this.#channel.show();
  }
}
