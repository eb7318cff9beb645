import { ServiceError } from '../errors/index.js';
import type { Command, MessageClass } from '../messages/index.js';
import { permission, type Permission } from '../security/index.js';

export interface CommandEndpointOptions {
  /** The path of the POST route, starting with `/`. Null, absent or empty: no REST endpoint. */
  readonly restRoute?: string | null;
  /** The GraphQL mutation field. Null, absent or empty: no GraphQL mutation. */
  readonly graphQLMutation?: string | null;
  /** What callers send instead of the command itself; the endpoint's `mapRequestToCommand` turns it into the command. */
  readonly requestType?: MessageClass | null;
  /** The permission that callers need: `Permission.write('orders')`, or `'orders:write'`. Default: none in particular. */
  readonly requires?: Permission | `${string}:${string}`;
  /** Lets callers in who have not shown who they are, where everybody else has to. Default: false. */
  readonly allowAnonymous?: boolean;
}

declare const result: unique symbol;

/** A class decorator that also works called on the class, for tools that do not lower decorators. */
export interface CommandEndpointDecorator<TCommand extends Command, TResult> {
  (target: MessageClass<TCommand>, context?: ClassDecoratorContext): void;
  readonly [result]?: TResult;
}

/**
 * Gives a command its endpoints. The generator reads the routes from the source; who may use them is looked up when the service
 * starts.
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
  options: CommandEndpointOptions,
): CommandEndpointDecorator<TCommand, TResult> {
  return (target) => {
    access.set(target, accessOf(options));
  };
}

/** Who may use the endpoints of a command. */
export interface EndpointAccess {
  readonly requires: Permission | null;
  readonly allowAnonymous: boolean;
}

const access = new WeakMap<object, EndpointAccess>();
const nothingSaid: EndpointAccess = { requires: null, allowAnonymous: false };

function accessOf({ requires, allowAnonymous = false }: CommandEndpointOptions): EndpointAccess {
  if (requires !== undefined && allowAnonymous) {
    throw new ServiceError(
      'SVC_INVALID_VALUE',
      'An endpoint that requires a permission cannot let anonymous callers in.',
    );
  }
  return { requires: requires === undefined ? null : permission(requires), allowAnonymous };
}

export function endpointAccessOf(command: MessageClass): EndpointAccess {
  return access.get(command) ?? nothingSaid;
}
