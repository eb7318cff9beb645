/** The GraphQL documents of a caller, checked against the schema of a service. */
import type { NamedType, TypeModel } from './type-model.js';

export interface DocumentsModel {
  /** Sorted by name. */
  readonly operations: readonly OperationModel[];
  /** The types of fragments, by their names. */
  readonly fragments: readonly TypeModel[];
  /** The texts of calls of `graphql`, each with the name of its operation; null: it has only fragments. */
  readonly calls: readonly { readonly text: string; readonly operation: string | null }[];
  /** The types of results and variables. They can refer to types of the service. */
  readonly types: readonly NamedType[];
}

export interface OperationModel {
  readonly name: string;
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** As clients send it, with its fragments. */
  readonly text: string;
  readonly result: TypeModel;
  /** Null: it has none. */
  readonly variables: TypeModel | null;
  /** Of a query or subscription: whether it has the variables that make it wait for an event. */
  readonly isWaiting: boolean;
  /** Of a mutation: whether it has one field. */
  readonly isOneCommand: boolean;
  /** Of a subscription: the name of the list in its result whose place the text selects. Null: it selects none. */
  readonly list: string | null;
}
