/**
 * The scalars of generated schemas. Input passes unchecked, because the endpoint's reader reports all errors at once with their location; only
 * output is checked here.
 */
import { isoText } from '@svc/core/json';
import { GraphQLScalarType, type GraphQLSchema } from 'graphql';

const outgoing: Readonly<Record<string, (value: unknown) => unknown>> = {
  DateTime: (value) => (value instanceof Date ? isoText(value) : text(value)),
  Decimal: text,
  Duration: text,
  JSON: (value) => value,
  SafeInt: (value) => {
    if (Number.isSafeInteger(value)) return value;
    throw new TypeError('The value is not an integer that a JSON number can represent exactly.');
  },
  UUID: text,
  Void: () => null,
};

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`The value is ${value === null ? 'null' : `of type ${typeof value}`}, not a string.`);
}

/** Defines how the scalars of a schema read and write values. */
export function defineScalars(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!(type instanceof GraphQLScalarType)) continue;
    const serialize = outgoing[type.name];
    if (serialize !== undefined) type.serialize = serialize;
  }
}
