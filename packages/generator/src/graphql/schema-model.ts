/** A GraphQL schema as plain data: the builder creates it from a service model, and the printer writes it. */
import type { ObjectType, TaggedType } from '../model/index.js';

export interface GraphQLSchemaModel {
  /** Names of the custom scalars in use, sorted. */
  readonly scalars: readonly ScalarName[];
  /** Sorted by name. */
  readonly definitions: readonly GraphQLDefinition[];
  /** Sorted by name. */
  readonly queries: readonly GraphQLRootField[];
  /** Sorted by name. */
  readonly mutations: readonly GraphQLRootField[];
  /** Sorted by name. */
  readonly subscriptions: readonly GraphQLRootField[];
}

export type GraphQLDefinition = GraphQLEnum | GraphQLObject | GraphQLUnion;

export interface GraphQLEnum {
  readonly kind: 'enum';
  readonly name: string;
  readonly description: string | null;
  readonly values: readonly string[];
}

export interface GraphQLObject {
  readonly kind: 'input' | 'type';
  readonly name: string;
  readonly description: string | null;
  /** Whether exactly one field must be given: the arms of a tagged union. */
  readonly isOneOf: boolean;
  readonly fields: readonly GraphQLField[];
  /** Its source, and the named type of that, if any. */
  readonly source: ObjectType | TaggedType;
  readonly typeId: string | null;
}

export interface GraphQLField {
  readonly name: string;
  /** With its exclamation marks. */
  readonly type: string;
  readonly description: string | null;
}

export interface GraphQLUnion {
  readonly kind: 'union';
  readonly name: string;
  readonly description: string | null;
  readonly members: readonly string[];
  readonly source: TaggedType;
  readonly typeId: string | null;
  /** The member for each value of the tag. */
  readonly arms: readonly { readonly value: string | number | boolean; readonly member: string }[];
}

/** A query, a mutation or a subscription. */
export interface GraphQLRootField extends GraphQLField {
  readonly arguments: readonly GraphQLArgument[];
}

export interface GraphQLArgument extends GraphQLField {
  /** As written in the schema; null if there is none. */
  readonly defaultValue: string | null;
}

/** The custom scalars, with their descriptions. */
export const scalarDescriptions = {
  DateTime: 'A date and time with offset, ISO 8601: `2026-01-31T12:00:00Z`.',
  Decimal:
    'A decimal number of at most 1,000 characters, exact: `"12.50"`. It may be sent as a number where that is exact.',
  Duration: 'A length of time, ISO 8601: `PT1.5S`.',
  JSON: 'Any JSON value.',
  SafeInt: 'A whole number between -9007199254740991 and 9007199254740991.',
  UUID: 'A UUID: `0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d`.',
  Void: 'No value: always null.',
} as const;

export type ScalarName = keyof typeof scalarDescriptions;
