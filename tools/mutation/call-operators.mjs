/** Mutations of calls: methods that select, order or change what they are called on, and calls that answer yes or no. */
const removed = new Set([
  'filter',
  'reverse',
  'slice',
  'sort',
  'toLowerCase',
  'toReversed',
  'toSorted',
  'toUpperCase',
  'trim',
  'trimEnd',
  'trimStart',
]);
const swapped = {
  every: 'some',
  some: 'every',
  min: 'max',
  max: 'min',
  endsWith: 'startsWith',
  startsWith: 'endsWith',
};
const covered = new Set(['ExpressionStatement', 'AwaitExpression', 'LogicalExpression', 'UnaryExpression']);
const answers = new Set(['has', 'includes', 'isArray', 'test', 'delete', 'equals']);

export function methodCalls(node, _around, source) {
  const method = methodOf(node);
  if (method === null) return [];
  const { object, property } = node.callee;
  if (removed.has(method)) return [source.slice(object.start, object.end)];
  if (!Object.hasOwn(swapped, method) || (method.startsWith('m') && object.name !== 'Math')) return [];
  return [source.slice(node.start, property.start) + swapped[method] + source.slice(property.end, node.end)];
}

export function predicateCalls(node, { parent, place }, source) {
  // Elsewhere, the value is not used, or is mutated as a condition, an operand or a negation.
  const isValue = !covered.has(parent.type) && place !== 'test';
  if (!isValue || !isPredicate(node)) return [];
  return [`!${source.slice(node.start, node.end)}`];
}

function isPredicate(node) {
  if (node.type !== 'CallExpression') return false;
  const name = methodOf(node) ?? node.callee.name ?? '';
  return answers.has(name) || /^(?:is|has)[A-Z]/.test(name);
}

function methodOf({ type, callee }) {
  const isMethod = type === 'CallExpression' && callee.type === 'MemberExpression' && !callee.computed;
  return isMethod ? (callee.property.name ?? null) : null;
}
