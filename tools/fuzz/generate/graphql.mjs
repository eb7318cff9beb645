/** GraphQL requests for the fields of the service's schema. */
import { getNamedType, isInputObjectType, isUnionType } from 'graphql';
import { argumentsOf, valueOf } from './graphql-arguments.mjs';
import { keyOf } from './rest.mjs';

const deepest = 4;
/** Like clients, most requests repeat a document with other variables; the service has it prepared by then. */
const documentsPerField = 30;

/** A subscription that is opened and ends at once, because the request is HEAD. Others are rejected: they do not accept a stream. */
function opened(operation, json) {
  const query = Object.entries(json).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const headers = [['accept', 'text/event-stream']];
  return { operation: operation.name, method: 'HEAD', path: '/graphql', query, headers };
}

export class GraphQLRequests {
  #fields;
  #documents = new Map();

  /** `fields` are the queries, mutations and subscriptions that `discover` found. */
  constructor(fields) {
    this.#fields = fields;
  }

  /** A valid request for one field, possibly with others of the same kind. */
  request(operation, values) {
    const { random } = values;
    const headers = operation.kind === 'mutation' && random.chance(0.15) ? [['idempotency-key', keyOf(random)]] : [];
    const json = this.body(operation, values);
    if (operation.kind === 'subscription' && random.chance(0.7)) return opened(operation, json);
    return { operation: operation.name, method: 'POST', path: '/graphql', query: [], headers, json };
  }

  /** The JSON of one operation: query, variables and possibly a name. */
  body(operation, values) {
    const { query, variables, name } = values.random.chance(0.8)
      ? this.#repeated(operation, values)
      : this.#newDocument(operation, values, true);
    const given = variables.map(({ variable, type, of }) => [variable, valueOf(type, values, of)]);
    return {
      query,
      ...(given.length > 0 && { variables: Object.fromEntries(given) }),
      ...(name !== '' && values.random.chance(0.5) && { operationName: name }),
    };
  }

  /** Without literals a document contains nothing of its tenant. */
  #repeated(operation, values) {
    const known = this.#documents.get(operation.name) ?? [];
    this.#documents.set(operation.name, known);
    if (known.length === documentsPerField) return values.random.pick(known);
    const document = this.#newDocument(operation, values, false);
    known.push(document);
    return document;
  }

  #newDocument(operation, values, hasLiterals) {
    const { random } = values;
    const parts = { values, hasLiterals, variables: [], fragments: [] };
    const roots = random.chance(0.1) ? [operation, ...this.#severalLike(operation, random)] : [operation];
    const fields = roots.map(({ field }, i) => fieldText(field, parts, 0, roots.length > 1 ? `r${i}` : null));
    const name = random.chance(0.3) ? `Op${random.below(9)}` : '';
    const declared = parts.variables.map(({ declaration }) => declaration).join(', ');
    const head = `${operation.kind} ${name}${declared === '' ? '' : `(${declared})`} `;
    const isShort = operation.kind === 'query' && name === '' && declared === '';
    const query = [`${isShort ? '' : head}{ ${fields.join(' ')} }`, ...parts.fragments].join('\n');
    return { query, variables: parts.variables, name };
  }

  #severalLike({ kind }, random) {
    const others = this.#fields.filter((other) => other.kind === kind);
    return Array.from({ length: random.between(1, 4) }, () => random.pick(others));
  }
}

function fieldText(field, parts, depth, alias = null) {
  const { random } = parts.values;
  const name = alias ?? (random.chance(0.04) ? `a${random.below(5)}x${parts.fragments.length}${depth}` : null);
  const directive = random.chance(0.03) ? random.pick([' @include(if: true)', ' @skip(if: false)']) : '';
  const selection = selectionOf(getNamedType(field.type), parts, depth + 1);
  return `${name === null ? '' : `${name}: `}${field.name}${argumentsOf(field, parts)}${directive}${selection}`;
}

function selectionOf(type, parts, depth) {
  if (isUnionType(type)) {
    const arms = type.getTypes().map((arm) => `... on ${arm.name}${selectionOf(arm, parts, depth)}`);
    return ` { __typename ${arms.join(' ')} }`;
  }
  if (isLeaf(type)) return '';
  const { random } = parts.values;
  const fields = Object.values(type.getFields()).filter((field) => depth < deepest || isLeaf(getNamedType(field.type)));
  const chosen = fields.filter(() => random.chance(0.5));
  const texts = (chosen.length === 0 ? fields.slice(0, 1) : chosen).map((field) => fieldText(field, parts, depth));
  if (random.chance(0.1)) texts.push('__typename');
  const text = ` { ${texts.join(' ')} }`;
  return random.chance(0.05) ? throughFragment(type.name, text, parts) : text;
}

function isLeaf(type) {
  return !isUnionType(type) && (type.getFields === undefined || isInputObjectType(type));
}

function throughFragment(typeName, selection, { fragments, values }) {
  if (values.random.chance(0.5)) return ` { ... on ${typeName}${selection} }`;
  const name = `F${fragments.length}`;
  fragments.push(`fragment ${name} on ${typeName}${selection}`);
  return ` { ...${name} }`;
}
