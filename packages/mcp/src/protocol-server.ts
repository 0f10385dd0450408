import { BatonError } from '@baton/core';
import {
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type MessageExtraInfo,
  ProtocolError,
  type Result,
  Server,
  type ServerContext,
  type ServerOptions,
  type StandardSchemaV1,
  type Transport,
} from '@modelcontextprotocol/server';
import { type CheckedMethod, checkParams, type Params } from './params.ts';
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

  /**
   * Answers a method. Its params have been through `checkParams`, so the SDK needs no schema.
   */
  on<Method extends CheckedMethod>(
    method: Method,
    answer: (params: Params<Method>, context: ServerContext) => Result | Promise<Result>,
  ): void {
    const params: StandardSchemaV1<Params<Method>> = {
      '~standard': {
        version: 1,
        vendor: 'baton',
        validate: (value) => ({ value: value as Params<Method> }),
      },
    };
    this.setRequestHandler(method, { params }, answer);
  }

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const inner = this._unchecked(method, handler) ?? super._wrapHandler(method, handler);
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
   * The SDK would check these params again, and a tool's result too, against schemas that take
   * 13 ms to build. The params have just been checked, and our adapter builds results with types.
   * (Not #private: the SDK's constructor calls this before private members exist.)
   */
  protected _unchecked(method: string, handler: Handler): Handler | undefined {
    if (method === 'initialize') return (request) => this['_oninitialize'](request as never);
    if (method !== 'tools/call') return undefined;
    return (request, context) =>
      this['_invokeInputRequiredCapableHandler'](method, handler, request, context);
  }

  /** There is nothing in it to check, and checking would build those schemas in every process. */
  protected override _onnotification(
    notification: JSONRPCNotification,
    extra?: MessageExtraInfo,
  ): void {
    if (notification.method === 'notifications/initialized') this.oninitialized?.();
    else super._onnotification(notification, extra);
  }

  /**
   * Frames have been checked where they were read, or come from a client in this very process.
   * The SDK would parse each one up to three more times against schemas that mostly fail, which
   * is half of the cost of a call.
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
