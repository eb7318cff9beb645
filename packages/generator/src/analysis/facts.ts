import type { Diagnostic } from '../diagnostics/index.js';
import type { ColumnModel, ConstructorParameter, HookModel, MessageKind, TypeModel } from '../model/index.js';
import type { Location } from './locations.js';
import type { Finding, Reference, SecretPlace, TypeDraft } from './types/index.js';

/** The facts of one module, read without modules that do not belong to it. Cached until it or one of its imports changes. */
export interface ModuleFacts {
  readonly messages: readonly MessageFact[];
  readonly endpoints: readonly EndpointFact[];
  readonly receptors: readonly ReceptorFact[];
  readonly deciders: readonly DeciderFact[];
  readonly perspectives: readonly PerspectiveFact[];
  readonly reactions: readonly ReactionFact[];
  readonly processes: readonly ReactionFact[];
  readonly customEndpoints: readonly CustomEndpointFact[];
  /** The named types reachable from them, by id. */
  readonly types: ReadonlyMap<string, TypeDraft>;
  readonly diagnostics: readonly Diagnostic[];
}

export interface MessageFact {
  readonly kind: MessageKind;
  readonly name: string;
  readonly module: string;
  readonly typeId: string;
  /** The type that `storedAs` sets; null: the default. */
  readonly storedAs: Located<string> | null;
  /** False if its class cannot be a message. It is included so that references to it are not reported again. */
  readonly isUsable: boolean;
  readonly at: Location;
}

/** A `commandEndpoint` with a route or a mutation. */
export interface EndpointFact {
  /** The command's `typeId`. */
  readonly commandId: string;
  readonly restRoute: Located<string> | null;
  readonly graphQLMutation: Located<string> | null;
  readonly request: Located<{ readonly typeId: string; readonly name: string }> | null;
  readonly result: ResultFact;
  readonly description: string | null;
}

export interface ReceptorFact {
  readonly name: string;
  readonly module: string;
  readonly commandId: string;
  readonly commandName: string;
  readonly result: ResultFact;
  readonly parameters: readonly ConstructorParameter[];
  readonly at: Location;
}

export interface DeciderFact {
  readonly name: string;
  readonly module: string;
  readonly events: readonly AppliedEventFact[];
  /** Its state, if it has snapshots. */
  readonly snapshot: ResultFact | null;
  /** False if its class cannot be a decider, which is already reported. */
  readonly isUsable: boolean;
  readonly at: Location;
}

export interface PerspectiveFact {
  readonly name: string;
  readonly module: string;
  readonly model: ResultFact;
  readonly events: readonly AppliedEventFact[];
  readonly columns: readonly ColumnModel[];
  readonly parameters: readonly ConstructorParameter[];
  readonly route: Located<string> | null;
  readonly graphQLQuery: Located<string> | null;
  readonly graphQLListQuery: Located<string> | null;
  readonly description: string | null;
  /** False if its class cannot be a perspective, which is already reported. */
  readonly isUsable: boolean;
  readonly at: Location;
}

/** A reaction or a process. */
export interface ReactionFact {
  readonly name: string;
  readonly module: string;
  /** The name under which its progress is stored. */
  readonly storedName: string;
  readonly events: readonly AppliedEventFact[];
  readonly parameters: readonly ConstructorParameter[];
  /** False if its class cannot be one, which is already reported. */
  readonly isUsable: boolean;
  readonly at: Location;
}

/** One of the events that a perspective, a decider, a reaction or a process handles. */
export interface AppliedEventFact {
  /** The `typeId` of a message, if it is one. */
  readonly id: string;
  /** As a user would write it. */
  readonly name: string;
  /** The name under which core exports it, if it is an event of core. */
  readonly coreName: string | null;
}

export interface ResultFact {
  readonly type: TypeModel;
  readonly references: readonly Reference[];
  readonly secrets: readonly SecretPlace[];
  readonly erasable: readonly SecretPlace[];
  readonly findings: readonly Finding[];
}

/** A class of the user that extends a generated endpoint. */
export interface CustomEndpointFact {
  readonly name: string;
  readonly module: string;
  /** Where its base is imported from: `orders/generated/create-order.endpoint`, `CreateOrderEndpoint`. */
  readonly baseModule: string;
  readonly baseName: string;
  readonly parameters: readonly ConstructorParameter[];
  readonly mapsRequest: boolean;
  readonly hooks: readonly HookModel[];
  readonly at: Location;
}

export interface Located<T> {
  readonly value: T;
  readonly at: Location;
}
