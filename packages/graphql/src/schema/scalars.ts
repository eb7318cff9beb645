/**
 * The scalars that generated schemas use. What callers send goes through as it is, because the endpoint's reader checks all of it
 * at once and says where; only what leaves is checked here.
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
    throw new TypeError('The value is not an integer that a JSON number carries exactly.');
  },
  UUID: text,
  Void: () => null,
};

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`The value is ${value === null ? 'null' : `of type ${typeof value}`}, not a text.`);
}

/** Gives the scalars of a schema their behaviour. */
export function defineScalars(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!(type instanceof GraphQLScalarType)) continue;
    const serialize = outgoing[type.name];
    if (serialize !== undefined) type.serialize = serialize;
  }
}
