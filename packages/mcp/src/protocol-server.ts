import { BatonError } from '@baton/core';
import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageExtraInfo,
  ProtocolError,
  type Result,
  Server,
  type ServerContext,
  type ServerOptions,
  type Transport,
} from '@modelcontextprotocol/server';
import { checkParams } from './params.ts';
import { Code, fromBatonError } from './protocol-error.ts';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** The SDK's server, with the client's faults told from ours and without its second look at frames. */
export class ProtocolServer extends Server {
  /** Logs an unexpected error and returns the id under which it can be found. */
  readonly #reportFault: (method: string, error: unknown) => string;

  constructor(
    info: { name: string; title: string; version: string },
    options: ServerOptions,
    reportFault: (method: string, error: unknown) => string,
  ) {
    super(info, options);
    this.#reportFault = reportFault;
  }

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const inner =
      method === 'tools/call' ? this.#withQuestions(handler) : super._wrapHandler(method, handler);
    return async (request, context) => {
      checkParams(method, request.params);
      try {
        return await inner(request, context);
      } catch (error) {
        if (error instanceof ProtocolError) throw error;
        if (error instanceof BatonError) throw fromBatonError(error);
        const fault = this.#reportFault(method, error);
        throw new ProtocolError(Code.internal, `${method} failed inside Baton (fault ${fault}).`);
      }
    };
  }

  /**
   * The SDK would check a tool call twice and its result once more against schemas of its own.
   * The call has just been checked, and the result is built by our adapter, with types.
   */
  #withQuestions(handler: Handler): Handler {
    return (request, context) =>
      this['_invokeInputRequiredCapableHandler']('tools/call', handler, request, context);
  }

  /**
   * Our transports have checked every frame already. The SDK would parse each one up to three
   * more times against schemas that mostly fail, which is half of the cost of a call.
   */
  override async connect(transport: Transport): Promise<void> {
    await super.connect(transport);
    transport.onmessage = (message: JSONRPCMessage, extra?: MessageExtraInfo) => {
      if (!('method' in message)) this._onresponse(message);
      else if ('id' in message) this['_onrequest'](message, extra);
      else this._onnotification(message, extra);
    };
  }
}
