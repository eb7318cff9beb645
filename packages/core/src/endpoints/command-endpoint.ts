import type { Command, MessageClass } from '../messages/index.js';

export interface CommandEndpointOptions {
  /** The path of the POST route, starting with `/`. Null, absent or empty: no REST endpoint. */
  readonly restRoute?: string | null;
  /** The GraphQL mutation field. Null, absent or empty: no GraphQL mutation. */
  readonly graphQLMutation?: string | null;
  /** What callers send instead of the command itself; the endpoint's `mapRequestToCommand` turns it into the command. */
  readonly requestType?: MessageClass | null;
}

declare const result: unique symbol;

/** A class decorator that also works called on the class, for tools that do not lower decorators. */
export interface CommandEndpointDecorator<TCommand extends Command, TResult> {
  (target: MessageClass<TCommand>, context?: ClassDecoratorContext): void;
  readonly [result]?: TResult;
}

/**
 * Gives a command its endpoints. The generator reads it from the source; at run time it does nothing.
 *
 * @example
 * ```ts
 * @commandEndpoint<CreateOrder, OrderCreated>({ restRoute: '/orders' })
 * export class CreateOrder implements Command {
 *   customerId!: Uuid;
 * }
 * ```
 */
export function commandEndpoint<TCommand extends Command, TResult>(
  _options: CommandEndpointOptions,
): CommandEndpointDecorator<TCommand, TResult> {
  return () => {};
}
