import { ServiceError } from '../errors/index.js';
import { ClassNotes, type Command, type MessageClass } from '../messages/index.js';
import { grantWithoutPermission, permission, ScopeFilters, type Permission } from '../security/index.js';

/** Options of `@commandEndpoint`: the routes of a command, and who may use them. */
export interface CommandEndpointOptions {
  /**
   * The path of the POST route, starting with `/`. A part such as `:orderId` is the value of the property of that name. Null, absent or empty: no REST
   * endpoint.
   */
  readonly restRoute?: string | null;
  /** The GraphQL mutation field. Null, absent or empty: no GraphQL mutation. */
  readonly graphQLMutation?: string | null;
  /** The type that callers send instead of the command; the endpoint's `mapRequestToCommand` converts it to the command. */
  readonly requestType?: MessageClass | null;
  /** The permission that callers need: `Permission.write('orders')`, or `'orders:write'`. Default: none. */
  readonly requires?: Permission | `${string}:${string}`;
  /** Admits callers without a credential. Default: false. */
  readonly allowAnonymous?: boolean;
  /** The values that the caller's scope must have: `ScopeFilters.Tenant` rejects callers without a tenant. Default: none. */
  readonly scope?: ScopeFilters;
  /** Emits `AccessGranted` when a caller runs the command. Needs `requires`. Default: false. */
  readonly recordGrant?: boolean;
}

declare const result: unique symbol;

/** A class decorator. Tools that do not lower decorators can call it on the class. */
export interface CommandEndpointDecorator<TCommand extends Command, TResult> {
  (target: MessageClass<TCommand>, context?: ClassDecoratorContext): void;
  readonly [result]?: TResult;
}

/**
 * Declares the endpoints of a command. The generator reads the routes from the source; the service reads the access rules at start.
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

/** The access rules of the endpoints of a command. */
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
      'An endpoint with requires or scope cannot have allowAnonymous. Remove allowAnonymous, or remove requires and scope.',
    );
  }
  if (recordGrant && requires === undefined) throw grantWithoutPermission('An endpoint');
  return { requires: requires === undefined ? null : permission(requires), allowAnonymous, scope, recordGrant };
}

/** The access rules of a command class. Throws if it has none: a default could admit callers by mistake. */
export function endpointAccessOf(command: MessageClass): EndpointAccess {
  const declared = access.of(command);
  if (declared === undefined) {
    throw new ServiceError(
      'SVC_ENDPOINT_NOT_DECLARED',
      `${command.name} has an endpoint, but its class has no @commandEndpoint. Add it to the exported class, then run "svc generate".`,
    );
  }
  return declared;
}
