/** TypeScript sources as trees. */
import { parse } from '@babel/parser';

export function parseSource(code, file) {
  try {
    return parse(code, { sourceType: 'module', plugins: ['typescript', 'decorators'] }).program;
  } catch (error) {
    throw new Error(`Cannot parse ${file}: ${error.message}`, { cause: error });
  }
}

/** The children of a node that are code, in the order of the source, each with the name of its place in the node. */
export function childrenOf(node) {
  const children = [];
  for (const [place, value] of Object.entries(node)) {
    if (places.has(place)) continue;
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child) && isCode(child)) children.push({ child, place });
    }
  }
  return children.toSorted((a, b) => a.child.start - b.child.start);
}

/** The places of a node in which there is nothing to mutate. */
const places = new Set([
  'decorators',
  'directives',
  'implements',
  'leadingComments',
  'innerComments',
  'trailingComments',
  'loc',
  'extra',
  'predicate',
  'returnType',
  'source',
  'superTypeParameters',
  'typeAnnotation',
  'typeArguments',
  'typeParameters',
]);

/** Expressions and parameters with types around them; all other nodes of TypeScript leave no code. */
const typed = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression', 'TSParameterProperty']);

function isCode({ type }) {
  return !type.startsWith('TS') || typed.has(type);
}

function isNode(value) {
  return typeof value === 'object' && value !== null && typeof value.type === 'string' && 'start' in value;
}
