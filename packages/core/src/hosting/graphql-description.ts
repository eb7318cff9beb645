import type { PrepareInput } from '../json/index.js';

/** The generated GraphQL description of a service: its schema, and the conversions between GraphQL values and JSON. */
export interface GraphQLDescription {
  /** The schema in the GraphQL schema definition language. */
  readonly sdl: string;
  /** By mutation: converts its argument for the endpoint's reader. Other mutations need no conversion. */
  readonly inputs: Readonly<Record<string, PrepareInput>>;
  /** By object type and field: how to compute values that are not the property of that name. */
  readonly fields: Readonly<Record<string, Readonly<Record<string, (parent: never) => unknown>>>>;
  /** By union: the object type of a value; undefined if no type matches. */
  readonly unions: Readonly<Record<string, (value: never) => string | undefined>>;
}
