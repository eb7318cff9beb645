/** Converts arguments that are written in a document to the values that a variable would have. */
import { getNullableType, isInputObjectType, isListType, Kind, type GraphQLInputType, type ValueNode } from 'graphql';

export type Variables = Readonly<Record<string, unknown>>;
export type MakeValue = (variables: Variables) => unknown;

/** Creates a new value each time, because a reader may change it in place. `variable` reads a variable. */
export function literalValue(
  node: ValueNode,
  type: GraphQLInputType | undefined,
  variable: (name: string) => MakeValue,
): MakeValue {
  const nullable = type === undefined ? undefined : typeFor(node, type);
  switch (node.kind) {
    case Kind.VARIABLE:
      return variable(node.name.value);
    case Kind.NULL:
      return () => null;
    case Kind.INT:
    case Kind.FLOAT: {
      const value = String(nullable) === 'Decimal' ? node.value : numberOrText(node.value);
      return () => value;
    }
    case Kind.STRING:
    case Kind.BOOLEAN:
    case Kind.ENUM: {
      const { value } = node;
      return () => value;
    }
    case Kind.LIST: {
      const itemType = isListType(nullable) ? nullable.ofType : undefined;
      const items = node.values.map((item) => literalValue(item, itemType, variable));
      return (variables) => items.map((make) => make(variables));
    }
    case Kind.OBJECT: {
      const fields = isInputObjectType(nullable) ? nullable.getFields() : {};
      const entries = node.fields.map(
        ({ name, value }) => [name.value, literalValue(value, fields[name.value]?.type, variable)] as const,
      );
      return (variables) => objectOf(entries, variables);
    }
  }
}

/** The type without its exclamation mark; the item type if a single item is given for a list. */
function typeFor(node: ValueNode, type: GraphQLInputType): GraphQLInputType {
  const nullable = getNullableType(type);
  return isListType(nullable) && node.kind !== Kind.LIST ? typeFor(node, nullable.ofType) : nullable;
}

/** A missing variable omits its field. As entries, because a key could be `__proto__`. */
function objectOf(entries: readonly (readonly [string, MakeValue])[], variables: Variables): object {
  const values = entries.map(([key, make]) => [key, make(variables)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** An integer that a double cannot represent stays a string, which the reader rejects. */
function numberOrText(text: string): number | string {
  const value = Number(text);
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  return /^-?\d+$/.test(text) && BigInt(text) === BigInt(value) ? value : text;
}
