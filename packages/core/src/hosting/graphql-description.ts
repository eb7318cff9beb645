import type { PrepareInput } from '../json/index.js';

/** The GraphQL side of a service, as the generator found it: its schema, and where GraphQL's values differ from those of JSON. */
export interface GraphQLDescription {
  /** The schema in GraphQL's own language. */
  readonly sdl: string;
  /** By mutation: makes of its argument what the endpoint's reader takes. A mutation that is not here needs nothing of the kind. */
  readonly inputs: Readonly<Record<string, PrepareInput>>;
  /** By object type and field: values that are not simply the property of that name. */
  readonly fields: Readonly<Record<string, Readonly<Record<string, (parent: never) => unknown>>>>;
  /** By union: the object type a value is of; undefined when it is of none. */
  readonly unions: Readonly<Record<string, (value: never) => string | undefined>>;
}
