/** Builds an example operation from the introspection of a mutation or a query. It works without a page. */

/**
 * @typedef {{ kind: string, name: string | null, ofType: TypeRef | null }} TypeRef
 * @typedef {{ name: string, type: TypeRef, description?: string | null }} Field
 * @typedef {object} SchemaType
 * @property {string} name
 * @property {string} kind
 * @property {boolean} [isOneOf]
 * @property {Field[] | null} fields
 * @property {Field[] | null} inputFields
 * @property {{ name: string }[] | null} enumValues
 * @property {{ name: string }[] | null} possibleTypes
 * @typedef {Field & { defaultValue?: string | null }} Argument
 * @typedef {Field & { args: readonly Argument[] }} RootField
 */

/** The nesting limit of results and arguments: types can contain themselves. */
const deepest = 4;

/**
 * @param {'mutation' | 'query'} kind
 * @param {RootField} field
 * @param {readonly SchemaType[]} types
 * @returns {{ query: string, variables: Record<string, unknown> }}
 */
export function operationSkeleton(kind, { name, type, args }, types) {
  const byName = new Map(types.map((known) => [known.name, known]));
  const definitions = args.map((argument) => `$${argument.name}: ${typeText(argument.type)}`);
  const values = args.map((argument) => `${argument.name}: $${argument.name}`);
  const selection = selectionOf(type, byName, '  ', deepest);
  const operationName = name.charAt(0).toUpperCase() + name.slice(1);
  return {
    query: `${kind} ${operationName}${inParentheses(definitions)} {\n  ${name}${inParentheses(values)}${selection}\n}\n`,
    variables: Object.fromEntries(args.map((argument) => [argument.name, valueOf(argument, byName)])),
  };
}

/** @param {readonly string[]} texts @returns {string} */
function inParentheses(texts) {
  return texts.length === 0 ? '' : `(${texts.join(', ')})`;
}

/** The default of an argument; else an example. @param {Argument} argument @param {ReadonlyMap<string, SchemaType>} types */
function valueOf({ type, defaultValue }, types) {
  // Defaults here are numbers, which are the same in GraphQL and JSON.
  return typeof defaultValue === 'string' ? JSON.parse(defaultValue) : exampleOf(type, types, deepest);
}

/** A type as it is written in a document. @param {TypeRef} type @returns {string} */
export function typeText({ kind, name, ofType }) {
  if (ofType === null || ofType === undefined) return name ?? '';
  return kind === 'NON_NULL' ? `${typeText(ofType)}!` : `[${typeText(ofType)}]`;
}

/**
 * @param {TypeRef} type
 * @param {ReadonlyMap<string, SchemaType>} types
 * @param {string} margin
 * @param {number} depth
 * @returns {string}
 */
function selectionOf(type, types, margin, depth) {
  const named = types.get(namedOf(type));
  if (named === undefined) return '';
  const inner = `${margin}  `;
  if (named.kind === 'UNION') {
    const members = (named.possibleTypes ?? []).map(({ name }) => {
      const member = selectionOf({ kind: 'OBJECT', name, ofType: null }, types, inner, depth - 1);
      return `${inner}... on ${name}${member || ' { __typename }'}`;
    });
    return ` {\n${[`${inner}__typename`, ...members].join('\n')}\n${margin}}`;
  }
  if (named.kind !== 'OBJECT') return '';
  const lines = (named.fields ?? []).flatMap((field) => {
    const isLeaf = !['OBJECT', 'UNION'].includes(types.get(namedOf(field.type))?.kind ?? '');
    if (!isLeaf && depth <= 1) return [];
    return [`${inner}${field.name}${selectionOf(field.type, types, inner, depth - 1)}`];
  });
  return ` {\n${(lines.length === 0 ? [`${inner}__typename`] : lines).join('\n')}\n${margin}}`;
}

/** @type {Readonly<Record<string, unknown>>} */
const examples = {
  Boolean: true,
  DateTime: '2026-01-31T12:00:00Z',
  Decimal: '1.00',
  Duration: 'PT1S',
  Float: 1.5,
  ID: '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d',
  Int: 1,
  JSON: {},
  SafeInt: 1,
  UUID: '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d',
};

/**
 * An example with the required fields only.
 *
 * @param {TypeRef} type
 * @param {ReadonlyMap<string, SchemaType>} types
 * @param {number} depth
 * @returns {unknown}
 */
function exampleOf(type, types, depth) {
  if (type.kind === 'NON_NULL' && type.ofType !== null) return exampleOf(type.ofType, types, depth);
  if (type.kind === 'LIST' && type.ofType !== null) return depth <= 0 ? [] : [exampleOf(type.ofType, types, depth - 1)];
  const named = types.get(type.name ?? '');
  if (named?.kind === 'ENUM') return named.enumValues?.[0]?.name ?? null;
  if (named?.kind !== 'INPUT_OBJECT') return examples[type.name ?? ''] ?? 'text';
  if (depth <= 0) return {};
  const fields = named.inputFields ?? [];
  const chosen = named.isOneOf === true ? fields.slice(0, 1) : fields.filter((field) => field.type.kind === 'NON_NULL');
  return Object.fromEntries(chosen.map((field) => [field.name, exampleOf(field.type, types, depth - 1)]));
}

/** @param {TypeRef} type @returns {string} */
function namedOf({ name, ofType }) {
  return ofType === null || ofType === undefined ? (name ?? '') : namedOf(ofType);
}
