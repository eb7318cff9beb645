import type { Dispatcher, Receptor } from '../dispatch/index.js';
import type { MutationEndpointBase } from '../endpoints/index.js';
import type { Reader, Writer } from '../json/index.js';
import type { Command, MessageClass, MessageDescriptor } from '../messages/index.js';
import type { GraphQLDescription } from './graphql-description.js';

/** What the generator found in a program: everything a service is made of. `TServices` is what its constructors ask for. */
export interface ServiceRegistry<TServices extends object> {
  readonly messages: readonly MessageDescriptor[];
  readonly receptors: readonly ReceptorDescriptor<TServices>[];
  readonly endpoints: readonly EndpointDescriptor<TServices>[];
  /** `paths` and `components` of an OpenAPI 3.1 document. */
  readonly openapi: { readonly paths: object; readonly components: { readonly schemas: object } };
  /** Absent when no command has a GraphQL mutation. */
  readonly graphql?: GraphQLDescription;
}

export interface ReceptorDescriptor<TServices extends object> {
  readonly name: string;
  readonly command: MessageClass;
  // oxlint-disable-next-line typescript/no-explicit-any -- receptors of all commands stand in one list
  readonly create: (dispatcher: Dispatcher, services: TServices) => Receptor<any, unknown>;
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
  readonly create: (dispatcher: Dispatcher, services: TServices) => AnyMutationEndpoint;
}

/** An endpoint that is ready to serve. */
export interface ReadyEndpoint {
  readonly name: string;
  readonly command: MessageClass<Command>;
  readonly restRoute: string | null;
  readonly graphQLMutation: string | null;
  readonly readRequest: Reader<object>;
  readonly writeResult: Writer<unknown>;
  readonly endpoint: AnyMutationEndpoint;
}
