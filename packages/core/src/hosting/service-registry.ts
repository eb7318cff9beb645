import type { Decider } from '../deciders/index.js';
import type { Dispatcher, Reaction, Receptor } from '../dispatch/index.js';
import type { MutationEndpointBase, OverriddenHooks } from '../endpoints/index.js';
import type { Reader, Writer } from '../json/index.js';
import type { Command, MessageClass, MessageDescriptor } from '../messages/index.js';
import type { Perspective } from '../perspectives/index.js';
import type { AnyProcess, ProcessClass } from '../processes/index.js';
import type { Permission, ScopeFilters } from '../security/index.js';
import type { PerspectiveColumn } from '../storage/index.js';
import type { SystemEventEmitter } from '../system-events/index.js';
import type { GraphQLDescription } from './graphql-description.js';

/** The generated list of everything a service consists of. `TServices` are the parameters of its constructors. */
export interface ServiceRegistry<TServices extends object> {
  readonly messages: readonly MessageDescriptor[];
  readonly receptors: readonly ReceptorDescriptor<TServices>[];
  readonly endpoints: readonly EndpointDescriptor<TServices>[];
  /** Absent if there are none. */
  readonly deciders?: readonly DeciderDescriptor[];
  /** Absent if there are none. */
  readonly perspectives?: readonly PerspectiveDescriptor<TServices>[];
  /** Absent if there are none. */
  readonly reactions?: readonly ReactionDescriptor<TServices>[];
  /** Absent if there are none. */
  readonly processes?: readonly ProcessDescriptor<TServices>[];
  /** The names of the services that constructors require. Absent if there are none. */
  readonly services?: readonly string[];
  /**
   * `paths` and `components` of an OpenAPI 3.1 document; `models`: the schema of the model of each perspective; `states`: the schema of the state
   * of each decider with snapshots; `messages`: the schema of each message between hosts, by its type.
   */
  readonly openapi: {
    readonly paths: object;
    readonly components: { readonly schemas: object };
    readonly models?: object;
    readonly states?: object;
    readonly messages?: object;
  };
  /** Absent if nothing is served over GraphQL. */
  readonly graphql?: GraphQLDescription;
}

/** A decider in the registry. */
export interface DeciderDescriptor {
  readonly name: string;
  readonly class: MessageClass;
  /** The events it processes. */
  readonly events: readonly MessageClass[];
  /** Read and write its state, if it has snapshots. */
  readonly readState?: Reader<object>;
  // oxlint-disable-next-line typescript/no-explicit-any -- one list has the writers of all states
  readonly writeState?: Writer<any>;
  /** Whether its state can contain `Personal` data. Absent: no. */
  readonly hasPersonal?: true;
  // oxlint-disable-next-line typescript/no-explicit-any -- one list has the deciders of all states
  readonly create: () => Decider<any, any>;
}

/** A perspective in the registry. */
export interface PerspectiveDescriptor<TServices extends object> {
  readonly name: string;
  readonly class: MessageClass;
  /** The events it processes. */
  readonly events: readonly MessageClass[];
  /** The indexed properties of its models, with their types. Absent if there are none. */
  readonly columns?: readonly PerspectiveColumn[];
  readonly readModel: Reader<object>;
  // oxlint-disable-next-line typescript/no-explicit-any -- one list has the writers of all models
  readonly writeModel: Writer<any>;
  /** Whether its models can contain `Personal` data. Absent: no. */
  readonly hasPersonal?: true;
  // oxlint-disable-next-line typescript/no-explicit-any -- one list has the perspectives of all models
  readonly create: (host: HostParts, services: TServices) => Perspective<any, any>;
}

/** A reaction in the registry. */
export interface ReactionDescriptor<TServices extends object> {
  /** The name of its class. */
  readonly name: string;
  readonly class: MessageClass<Reaction<never>>;
  /** The events it processes. */
  readonly events: readonly MessageClass[];
  // oxlint-disable-next-line typescript/no-explicit-any -- one list has the reactions to all events
  readonly create: (host: HostParts, services: TServices) => Reaction<any>;
}

/** A process in the registry. */
export interface ProcessDescriptor<TServices extends object> {
  /** The name of its class. */
  readonly name: string;
  readonly class: ProcessClass;
  /** The events it processes. */
  readonly events: readonly MessageClass[];
  readonly create: (host: HostParts, services: TServices) => AnyProcess;
}

/** What the host passes to constructors, by parameter type. */
export interface HostParts {
  readonly dispatcher: Dispatcher;
  readonly emitter: SystemEventEmitter;
}

export interface ReceptorDescriptor<TServices extends object> {
  readonly name: string;
  readonly command: MessageClass;
  /** The name of its result type, if it has one. */
  readonly resultType?: string | null;
  // oxlint-disable-next-line typescript/no-explicit-any -- one list has the receptors of all commands
  readonly create: (host: HostParts, services: TServices) => Receptor<any, unknown>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- one list has the endpoints of all commands
export type AnyMutationEndpoint = MutationEndpointBase<any, unknown, any>;

export interface EndpointDescriptor<TServices extends object> {
  readonly name: string;
  readonly command: MessageClass;
  readonly restRoute: string | null;
  readonly pathParameters?: PathParameters;
  readonly graphQLMutation: string | null;
  /** Reads the body of a request: the command, or its request type. */
  readonly readRequest: Reader<object>;
  // oxlint-disable-next-line typescript/no-explicit-any -- one list has the writers of all results
  readonly writeResult: Writer<any>;
  /** Present if a request can contain secrets: writes it without them. */
  // oxlint-disable-next-line typescript/no-explicit-any -- one list has the writers of all requests
  readonly writeRequest?: Writer<any>;
  /** The hooks that its class overrides. One that is not listed is called with the signal, if the class overrides it. */
  readonly hooks?: OverriddenHooks;
  readonly create: (host: HostParts, services: TServices) => AnyMutationEndpoint;
}

/** The properties that callers over REST send in the path, and how their values are read there. Absent: all are in the body. */
export type PathParameters = Readonly<Record<string, 'text' | 'integer'>>;

/** An endpoint that is ready to serve. */
export interface ReadyEndpoint {
  readonly name: string;
  readonly command: MessageClass<Command>;
  /** The registered name of the command: `orders.CreateOrder`. */
  readonly commandType: string;
  readonly restRoute: string | null;
  readonly pathParameters?: PathParameters;
  readonly graphQLMutation: string | null;
  readonly readRequest: Reader<object>;
  readonly writeResult: Writer<unknown>;
  /** Writes a result to be stored, with its personal values delimited. Default: `writeResult`. */
  readonly storeResult?: Writer<unknown>;
  /** Finds the secrets of a request. Absent: it has none. */
  readonly secretsOf?: (request: object) => readonly string[];
  /** The permission that callers need; null if none. */
  readonly requires: Permission | null;
  /** Whether callers need not authenticate. */
  readonly allowAnonymous: boolean;
  /** The values that the scope of a caller must have. */
  readonly scope: ScopeFilters;
  /** Whether `AccessGranted` is emitted for callers who run the command. */
  readonly recordGrant: boolean;
  readonly endpoint: RequestHandler;
}

/** The part of an endpoint that REST and GraphQL use. */
export type RequestHandler = Pick<AnyMutationEndpoint, 'handle'>;
