export { describeTool, inputSchema, type ToolDescription } from './describe-tool.ts';
export { type FormField, formFields } from './form-fields.ts';
export {
  type HttpOptions,
  type HttpServer,
  type Page,
  serveHttp,
} from './transports/http/serve-http.ts';
export { serveInMemory } from './transports/in-memory.ts';
export { type StdioServer, serveStdio } from './transports/stdio.ts';
