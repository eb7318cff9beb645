import { DeferredSignal, offerClaim, signalOf, type Cancellation, type Dispatcher } from '../dispatch/index.js';
import type { Command } from '../messages/index.js';
import { hookUse, type HookUse, type OverriddenHooks } from './hook-use.js';
import { ExecutionContext, type MutationContext } from './mutation-context.js';

/**
 * Runs one command for a caller: cancellation check, before-hook, dispatch, then the after-hook, or the error-hook if dispatch failed. One
 * instance handles all requests; state of one request belongs to its context.
 */
export abstract class MutationEndpointBase<TCommand extends Command, TResult, TRequest = TCommand> {
  protected readonly dispatcher: Dispatcher;
  #hooks: OverriddenHooks = {};
  #uses: HookUses | undefined;

  constructor(dispatcher: Dispatcher) {
    this.dispatcher = dispatcher;
  }

  /** Says which hooks its class overrides, and whether they take the signal. Without it, each overridden hook gets the signal. */
  declareHooks(hooks: OverriddenHooks): void {
    this.#hooks = hooks;
    this.#uses = undefined;
  }

  /**
   * Maps a request to the command, then executes it. An error of the mapping bypasses every hook. With a claim, the result is stored under
   * the idempotency key of the request.
   */
  handle(request: TRequest, cancellation: Cancellation): Promise<TResult> {
    if (this.#use.map === 'unused') return this.execute(request as TRequest & TCommand, cancellation);
    return this.#mapAndExecute(request, cancellation);
  }

  async execute(command: TCommand, cancellation: Cancellation): Promise<TResult> {
    cancellation.throwIfAborted();
    const { before, dispatch, after, failed } = this.#use;
    const context = new ExecutionContext(cancellation);
    // An error of the before-hook goes straight to the caller: the error-hook handles errors of dispatch only.
    if (before !== 'unused') {
      const settling = this.onBeforeExecute(command, context, signalFor(before, cancellation));
      if (settling !== undefined) await settling;
    }
    offerClaim(command, cancellation);
    let result: TResult;
    try {
      result =
        dispatch === 'unused'
          ? await this.#invoke(command, cancellation)
          : await this.dispatchCommand(command, signalFor(dispatch, cancellation));
    } catch (error) {
      if (failed === 'unused') throw error;
      const fallback = await this.onError(command, error, context, signalFor(failed, cancellation));
      if (fallback === null || fallback === undefined) throw error;
      return fallback;
    }
    if (after !== 'unused') {
      const settling = this.onAfterExecute(command, result, context, signalFor(after, cancellation));
      if (settling !== undefined) await settling;
    }
    return result;
  }

  async #mapAndExecute(request: TRequest, cancellation: Cancellation): Promise<TResult> {
    const command = await this.mapRequestToCommand(request, signalFor(this.#use.map, cancellation));
    return await this.execute(command, cancellation);
  }

  /** Maps the request to the command. An endpoint with a request type must override it; otherwise the request is the command. */
  protected mapRequestToCommand(request: TRequest, _signal: AbortSignal): TCommand | Promise<TCommand> {
    return request as TRequest & TCommand;
  }

  /** Override it to validate, authorize or log. An error stops the command and goes to the caller. */
  protected onBeforeExecute(
    _command: TCommand,
    _context: MutationContext,
    _signal: AbortSignal,
  ): void | Promise<void> {}

  /** Passes the command to the dispatcher. */
  protected dispatchCommand(command: TCommand, signal: AbortSignal): TResult | Promise<TResult> {
    return this.#invoke(command, signal);
  }

  /** Override it to notify or log. The command is already committed: an error goes to the caller, but undoes nothing. */
  protected onAfterExecute(
    _command: TCommand,
    _result: TResult,
    _context: MutationContext,
    _signal: AbortSignal,
  ): void | Promise<void> {}

  /** Override it to return a result when dispatch failed. With null or undefined, the error goes to the caller. */
  protected onError(
    _command: TCommand,
    _error: unknown,
    _context: MutationContext,
    _signal: AbortSignal,
  ): TResult | null | undefined | Promise<TResult | null | undefined> {
    return null;
  }

  #invoke(command: TCommand, signal: Cancellation): Promise<TResult> {
    return this.dispatcher.invoke(command, { signal }) as Promise<TResult>;
  }

  /** Determined once, on first use: the hooks of a class do not change. */
  get #use(): HookUses {
    const { prototype } = MutationEndpointBase;
    return (this.#uses ??= {
      map: hookUse(this, prototype, 'mapRequestToCommand', this.#hooks),
      before: hookUse(this, prototype, 'onBeforeExecute', this.#hooks),
      dispatch: hookUse(this, prototype, 'dispatchCommand', this.#hooks),
      after: hookUse(this, prototype, 'onAfterExecute', this.#hooks),
      failed: hookUse(this, prototype, 'onError', this.#hooks),
    });
  }
}

type HookUses = Readonly<Record<'map' | 'before' | 'dispatch' | 'after' | 'failed', HookUse>>;

const neverAborted = new DeferredSignal();

function signalFor(use: HookUse, cancellation: Cancellation): AbortSignal {
  return use === 'with signal' ? signalOf(cancellation) : neverAborted.signal;
}
