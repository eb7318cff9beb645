import { ServiceError } from '../errors/index.js';
import { ClassNotes, type Command, type MessageClass } from '../messages/index.js';
import { grantWithoutPermission, permission, ScopeFilters, type Permission } from '../security/index.js';

export interface CommandEndpointOptions {
  /** The path of the POST route, starting with `/`. Null, absent or empty: no REST endpoint. */
  readonly restRoute?: string | null;
  /** The GraphQL mutation field. Null, absent or empty: no GraphQL mutation. */
  readonly graphQLMutation?: string | null;
  /** What callers send instead of the command itself; the endpoint's `mapRequestToCommand` turns it into the command. */
  readonly requestType?: MessageClass | null;
  /** The permission that callers need: `Permission.write('orders')`, or `'orders:write'`. Default: none in particular. */
  readonly requires?: Permission | `${string}:${string}`;
  /** Lets callers in without a credential, where all others need one. Default: false. */
  readonly allowAnonymous?: boolean;
  /**
   * The values that the scope of a caller must have: with `ScopeFilters.Tenant`, a caller without a tenant cannot run the command.
   * Default: none.
   */
  readonly scope?: ScopeFilters;
  /** Emits `AccessGranted` for callers who run the command; needs `requires`. Default: false. */
  readonly recordGrant?: boolean;
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
  return (target, context) => {
    access.add(target, accessOf(options), context);
  };
}

/** Who may use the endpoints of a command. */
export interface EndpointAccess {
  readonly requires: Permission | null;
  readonly allowAnonymous: boolean;
  /** The values that the scope of a caller must have. */
  readonly scope: ScopeFilters;
  readonly recordGrant: boolean;
}

const access = new ClassNotes<EndpointAccess>();

function accessOf(options: CommandEndpointOptions): EndpointAccess {
  const { requires, allowAnonymous = false, scope = ScopeFilters.None, recordGrant = false } = options;
  if (allowAnonymous && (requires !== undefined || scope !== ScopeFilters.None)) {
    throw new ServiceError(
      'SVC_INVALID_VALUE',
      'An endpoint that requires a permission or a scope cannot let anonymous callers in.',
    );
  }
  if (recordGrant && requires === undefined) throw grantWithoutPermission('An endpoint');
  return { requires: requires === undefined ? null : permission(requires), allowAnonymous, scope, recordGrant };
}

/** Throws for a class that nothing was said of: somebody may have said it of another one, and nobody is let in by mistake. */
export function endpointAccessOf(command: MessageClass): EndpointAccess {
  const said = access.of(command);
  if (said === undefined) {
    throw new ServiceError(
      'SVC_ENDPOINT_NOT_DECLARED',
      `${command.name} has an endpoint, and its class has no @commandEndpoint. Put it on the class that is exported, and run svc generate.`,
    );
  }
  return said;
}
