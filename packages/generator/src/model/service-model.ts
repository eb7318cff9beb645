/**
 * The model of a program: plain, serialisable data. `analysis` creates it with the compiler; `emit` writes text from it without the
 * compiler. Paths are relative to the source root, with `/`, without extension: `orders/create-order`.
 */
import type { NamedType, TypeModel } from './type-model.js';

export interface ServiceModel {
  /** First part of every message's type name: `orders` in `orders.CreateOrder`. */
  readonly namespace: string;
  /** Every named type reachable from a message, request or result, sorted by id. */
  readonly types: readonly NamedType[];
  /** Sorted by name. */
  readonly messages: readonly MessageModel[];
  /** Sorted by command name. */
  readonly endpoints: readonly EndpointModel[];
  /** Sorted by command name. */
  readonly receptors: readonly ReceptorModel[];
  /** Sorted by name. */
  readonly deciders: readonly DeciderModel[];
  /** Sorted by name. */
  readonly perspectives: readonly PerspectiveModel[];
  /** Sorted by name. */
  readonly reactions: readonly ReactionModel[];
  readonly processes: readonly ReactionModel[];
}

export type MessageKind = 'command' | 'event' | 'systemEvent';

export interface MessageModel {
  readonly kind: MessageKind;
  /** The class name, unique among the program's messages. */
  readonly name: string;
  /** The type under which it is stored and sent: `orders.CreateOrder`. Unique among the program's messages. */
  readonly type: string;
  /** The module that exports the class. */
  readonly module: string;
  /** The id of its `NamedType`, which is of kind `object` and a class. */
  readonly typeId: string;
  /** The result of a command, from its receptor or its endpoint; absent for events and if it is not declared. */
  readonly result?: TypeModel;
}

export interface EndpointModel {
  /** `CreateOrderEndpoint` */
  readonly name: string;
  /** Name of the command's `MessageModel`. */
  readonly command: string;
  readonly restRoute: string | null;
  /** The parameters of the route, in their order. */
  readonly pathParameters: readonly PathParameter[];
  readonly graphQLMutation: string | null;
  /** The class of the request DTO, if there is one: a `NamedType` id. */
  readonly requestTypeId: string | null;
  readonly result: TypeModel;
  /** Text of the command's doc comment; becomes the operation's description. */
  readonly description: string | null;
  /** The user's subclass that is served instead of the generated class. */
  readonly custom: CustomClass | null;
}

/** A part of a path with the value of a property. */
export interface PathParameter {
  /** The name of the property. */
  readonly name: string;
  /** How its value is read from the path. */
  readonly kind: 'text' | 'integer';
}

export interface ReceptorModel {
  /** The class name. */
  readonly name: string;
  readonly module: string;
  /** Name of the command's `MessageModel`. */
  readonly command: string;
  readonly parameters: readonly ConstructorParameter[];
}

export interface DeciderModel {
  /** The class name. */
  readonly name: string;
  readonly module: string;
  /** Sorted by name. */
  readonly events: readonly PerspectiveEvent[];
  /** The state, an object or a reference to one, if the decider has snapshots. */
  readonly state: TypeModel | null;
}

export interface PerspectiveModel {
  /** The class name. */
  readonly name: string;
  readonly module: string;
  /** An object, or a reference to one. */
  readonly model: TypeModel;
  /** Sorted by name. */
  readonly events: readonly PerspectiveEvent[];
  /** The properties of the model that can be filtered and sorted by, in the order in which they are listed. */
  readonly columns: readonly ColumnModel[];
  readonly parameters: readonly ConstructorParameter[];
  /** The route that serves the models over REST. */
  readonly route: string | null;
  /** The GraphQL query for one model by its key. */
  readonly graphQLQuery: string | null;
  /** The GraphQL query for a page of models. */
  readonly graphQLListQuery: string | null;
  /** Text of the doc comment of the class; becomes the description of the queries. */
  readonly description: string | null;
}

/** A reaction or a process. */
export interface ReactionModel {
  /** The class name. */
  readonly name: string;
  readonly module: string;
  /** Sorted by name. */
  readonly events: readonly PerspectiveEvent[];
  readonly parameters: readonly ConstructorParameter[];
}

export type ColumnTypeName = 'text' | 'integer' | 'number' | 'decimal' | 'boolean' | 'timestamp';

export interface ColumnModel {
  readonly name: string;
  readonly type: ColumnTypeName;
}

export interface PerspectiveEvent {
  readonly name: string;
  /** The module that exports the class; null for an event that core exports. */
  readonly module: string | null;
}

export interface CustomClass {
  readonly name: string;
  readonly module: string;
  /** All constructor parameters; the first one is the dispatcher. Empty if the class declares no constructor. */
  readonly parameters: readonly ConstructorParameter[];
  /** The hooks that it overrides, in the order of the lifecycle; empty when the source does not say which. */
  readonly hooks: readonly HookModel[];
}

export interface HookModel {
  readonly name: 'mapRequestToCommand' | 'onBeforeExecute' | 'dispatchCommand' | 'onAfterExecute' | 'onError';
  /** False when it cannot see the signal, so that none has to be made for it. */
  readonly takesSignal: boolean;
}

export interface ConstructorParameter {
  readonly name: string;
  /** A service of the host, if the declared type is core's `Dispatcher` or `SystemEventEmitter`; otherwise resolved by parameter name. */
  readonly kind: 'dispatcher' | 'emitter' | 'service';
  /** `name?: T` or `name: T = …` */
  readonly optional: boolean;
}
