import type { Dispatcher, Receptor } from '../dispatch/index.js';
import type { MutationEndpointBase, OverriddenHooks } from '../endpoints/index.js';
import type { Reader, Writer } from '../json/index.js';
import type { Command, MessageClass, MessageDescriptor } from '../messages/index.js';
import type { Perspective } from '../perspectives/index.js';
import type { Permission, ScopeFilters } from '../security/index.js';
import type { PerspectiveColumn } from '../storage/index.js';
import type { SystemEventEmitter } from '../system-events/index.js';
import type { GraphQLDescription } from './graphql-description.js';

/** What the generator found in a program: everything a service is made of. `TServices` is what its constructors ask for. */
export interface ServiceRegistry<TServices extends object> {
  readonly messages: readonly MessageDescriptor[];
  readonly receptors: readonly ReceptorDescriptor<TServices>[];
  readonly endpoints: readonly EndpointDescriptor<TServices>[];
  /** Absent: there are none. */
  readonly perspectives?: readonly PerspectiveDescriptor<TServices>[];
  /** `paths` and `components` of an OpenAPI 3.1 document; `models`: the schema of the model of each perspective. */
  readonly openapi: {
    readonly paths: object;
    readonly components: { readonly schemas: object };
    readonly models?: object;
  };
  /** Absent when nothing is served over GraphQL. */
  readonly graphql?: GraphQLDescription;
}

export interface PerspectiveDescriptor<TServices extends object> {
  readonly name: string;
  readonly class: MessageClass;
  /** The events it takes. */
  readonly events: readonly MessageClass[];
  /** The indexed properties of its models, with their types. Absent: there are none. */
  readonly columns?: readonly PerspectiveColumn[];
  readonly readModel: Reader<object>;
  // oxlint-disable-next-line typescript/no-explicit-any -- writers of all models stand in one list
  readonly writeModel: Writer<any>;
  // oxlint-disable-next-line typescript/no-explicit-any -- perspectives of all models stand in one list
  readonly create: (host: HostParts, services: TServices) => Perspective<any, any>;
}

/** What the host itself has to give to constructors, found by type. */
export interface HostParts {
  readonly dispatcher: Dispatcher;
  readonly emitter: SystemEventEmitter;
}

export interface ReceptorDescriptor<TServices extends object> {
  readonly name: string;
  readonly command: MessageClass;
  /** The name of the type it answers with, when that has one. */
  readonly resultType?: string | null;
  // oxlint-disable-next-line typescript/no-explicit-any -- receptors of all commands stand in one list
  readonly create: (host: HostParts, services: TServices) => Receptor<any, unknown>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- endpoints of all commands stand in one list
export type AnyMutationEndpoint = MutationEndpointBase<any, unknown, any>;

export interface EndpointDescriptor<TServices extends object> {
  readonly name: string;
  readonly command: MessageClass;
  readonly restRoute: string | null;
  readonly graphQLMutation: string | null;
  /** Reads what callers send: the command, or its request type. */
  readonly readRequest: Reader<object>;
  // oxlint-disable-next-line typescript/no-explicit-any -- writers of all results stand in one list
  readonly writeResult: Writer<any>;
  /** The hooks that its class overrides. One that is not listed is called with the signal, if the class overrides it. */
  readonly hooks?: OverriddenHooks;
  readonly create: (host: HostParts, services: TServices) => AnyMutationEndpoint;
}

/** An endpoint that is ready to serve. */
export interface ReadyEndpoint {
  readonly name: string;
  readonly command: MessageClass<Command>;
  /** The registered name of the command: `orders.CreateOrder`. */
  readonly commandType: string;
  readonly restRoute: string | null;
  readonly graphQLMutation: string | null;
  readonly readRequest: Reader<object>;
  readonly writeResult: Writer<unknown>;
  /** What callers must be allowed to do; null: nothing in particular. */
  readonly requires: Permission | null;
  /** Whether callers need not authenticate. */
  readonly allowAnonymous: boolean;
  /** The values that the scope of a caller must have. */
  readonly scope: ScopeFilters;
  /** Whether `AccessGranted` is emitted for callers who run the command. */
  readonly recordGrant: boolean;
  readonly endpoint: RequestHandler;
}

/** What transports need of an endpoint. */
export type RequestHandler = Pick<AnyMutationEndpoint, 'handle'>;
