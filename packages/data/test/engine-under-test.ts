export { ChildEngine } from '../src/engine/child-engine.ts';
export { type Engine, EngineError, quoteName, quoteText } from '../src/engine/engine.ts';
export type { EngineProgram } from '../src/engine/engine-child.ts';
export type { EngineSettings } from '../src/engine/messages.ts';
export { watchEngine } from '../src/engine/watch-engine.ts';
