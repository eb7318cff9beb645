import type { Diagnostic } from '../diagnostics/index.js';
import type { ColumnModel, ConstructorParameter, MessageKind, TypeModel } from '../model/index.js';
import type { Location } from './locations.js';
import type { Finding, Reference, TypeDraft } from './types/index.js';

/** What one module says, read without looking at modules that do not belong to it: kept until it or something it imports changes. */
export interface ModuleFacts {
  readonly messages: readonly MessageFact[];
  readonly endpoints: readonly EndpointFact[];
  readonly receptors: readonly ReceptorFact[];
  readonly perspectives: readonly PerspectiveFact[];
  readonly customEndpoints: readonly CustomEndpointFact[];
  /** The named types that can be reached from them, by id. */
  readonly types: ReadonlyMap<string, TypeDraft>;
  readonly diagnostics: readonly Diagnostic[];
}

export interface MessageFact {
  readonly kind: MessageKind;
  readonly name: string;
  readonly module: string;
  readonly typeId: string;
  /** False when its class cannot be a message; it is known only so that others may refer to it without a second complaint. */
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

export interface PerspectiveFact {
  readonly name: string;
  readonly module: string;
  readonly model: ResultFact;
  readonly events: readonly AppliedEventFact[];
  readonly columns: readonly ColumnModel[];
  readonly parameters: readonly ConstructorParameter[];
  readonly graphQLQuery: Located<string> | null;
  readonly graphQLListQuery: Located<string> | null;
  readonly description: string | null;
  /** False when its class cannot be one; what is wrong with it is told already. */
  readonly isUsable: boolean;
  readonly at: Location;
}

/** One of the events a perspective takes. */
export interface AppliedEventFact {
  /** The `typeId` of a message, if it is one. */
  readonly id: string;
  /** As a user would write it. */
  readonly name: string;
  /** The name under which core exports it, when it is an event of core's. */
  readonly coreName: string | null;
}

export interface ResultFact {
  readonly type: TypeModel;
  readonly references: readonly Reference[];
  readonly findings: readonly Finding[];
}

/** A class of the user's that extends a generated endpoint. */
export interface CustomEndpointFact {
  readonly name: string;
  readonly module: string;
  /** Where its base is imported from: `orders/generated/create-order.endpoint`, `CreateOrderEndpoint`. */
  readonly baseModule: string;
  readonly baseName: string;
  readonly parameters: readonly ConstructorParameter[];
  readonly mapsRequest: boolean;
  readonly at: Location;
}

export interface Located<T> {
  readonly value: T;
  readonly at: Location;
}
