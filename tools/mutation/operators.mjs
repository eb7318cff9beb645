/**
 * What is mutated. Each operator takes a node, its surroundings and the source, and returns the replacements of the node's text. Operators of
 * expressions return expressions; a statement is only removed, so its replacement is empty.
 */
import { methodCalls, predicateCalls } from './call-operators.mjs';

const boundaries = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const negations = { '===': '!==', '!==': '===', '==': '!=', '!=': '==', '<': '>=', '<=': '>', '>': '<=', '>=': '<' };
const arithmetic = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' };
const assignments = { '+=': '-=', '-=': '+=', '*=': '/=', '/=': '*=', '??=': '=', '||=': '=', '&&=': '=' };
const updates = { '++': '--', '--': '++' };
const loops = new Set(['WhileStatement', 'DoWhileStatement', 'ForStatement']);
const branches = new Set(['IfStatement', 'ConditionalExpression']);
const texts = new Set(['StringLiteral', 'TemplateLiteral']);
const removable = new Set(['CallExpression', 'OptionalCallExpression', 'AssignmentExpression', 'UpdateExpression']);

/** The replacements of a node, each with the name of its operator. */
export function replacementsOf(node, around, source) {
  return operators.flatMap(([operator, replace]) =>
    replace(node, around, source).map((replacement) => ({ operator, replacement })),
  );
}

const operators = [
  ['condition', conditions],
  ['comparison', comparisons],
  ['operand', operands],
  ['negation', removedNegation],
  ['arithmetic', swappedArithmetic],
  ['boolean', flippedBoolean],
  ['string', emptiedString],
  ['array', emptiedArray],
  ['object', emptiedObject],
  ['optional chaining', requiredChain],
  ['method', methodCalls],
  ['predicate', predicateCalls],
  ['statement', removedStatement],
];

/** A branch is always or never taken; a loop never runs. */
function conditions(node, { parent, place }) {
  if (place !== 'test' || node.type === 'BooleanLiteral') return [];
  if (branches.has(parent.type)) return ['true', 'false'];
  return loops.has(parent.type) ? ['false'] : [];
}

function comparisons(node, around, source) {
  if (node.type !== 'BinaryExpression') return [];
  const boundary = boundaries[node.operator];
  const negation = isDecided(around) ? undefined : negations[node.operator];
  return [boundary, negation].filter(Boolean).map((operator) => withOperator(node, operator, source));
}

/** `a && b`, `a || b` and `a ?? b` lose one of their operands. */
function operands(node, _around, source) {
  if (node.type !== 'LogicalExpression') return [];
  return [textOf(node.left, source), textOf(node.right, source)];
}

function removedNegation(node, around, source) {
  const isNegation = node.type === 'UnaryExpression' && node.operator === '!' && !isDecided(around);
  return isNegation ? [textOf(node.argument, source)] : [];
}

function swappedArithmetic(node, _around, source) {
  if (node.type === 'BinaryExpression' && Object.hasOwn(arithmetic, node.operator)) {
    const joinsTexts = node.operator === '+' && (texts.has(node.left.type) || texts.has(node.right.type));
    return joinsTexts ? [] : [withOperator(node, arithmetic[node.operator], source)];
  }
  if (node.type === 'AssignmentExpression' && Object.hasOwn(assignments, node.operator))
    return [withOperator(node, assignments[node.operator], source)];
  if (node.type !== 'UpdateExpression') return [];
  return [textOf(node, source).replace(node.operator, updates[node.operator])];
}

function flippedBoolean(node) {
  return node.type === 'BooleanLiteral' ? [String(!node.value)] : [];
}

/** Names and codes: a text with spaces is for people to read. What is compared with a string is mutated as a comparison. */
function emptiedString(node, { parent, isMessage }) {
  const isName = node.type === 'StringLiteral' && /^[^\s]+$/.test(node.value);
  return isName && !isMessage && parent.type !== 'BinaryExpression' ? ["''"] : [];
}

function emptiedArray(node) {
  return node.type === 'ArrayExpression' && node.elements.length > 0 ? ['[]'] : [];
}

function emptiedObject(node) {
  return node.type === 'ObjectExpression' && node.properties.length > 0 ? ['{}'] : [];
}

/** Each `?.` of a chain, one at a time. */
function requiredChain(node, { parent, place }, source) {
  if (!isOptional(node) || isWithinChain(parent, place)) return [];
  const whole = textOf(node, source);
  return linksOf(node, source).map(({ start, replacement }) => {
    const at = start - node.start;
    return whole.slice(0, at) + replacement + whole.slice(at + 2);
  });
}

function linksOf(node, source) {
  if (node.type === 'TSNonNullExpression') return linksOf(node.expression, source);
  if (!isOptional(node)) return [];
  const inner = node.object ?? node.callee;
  if (!node.optional) return linksOf(inner, source);
  const isName = node.type === 'OptionalMemberExpression' && !node.computed;
  return [...linksOf(inner, source), { start: source.indexOf('?.', inner.end), replacement: isName ? '.' : '' }];
}

function isWithinChain(parent, place) {
  return parent.type === 'TSNonNullExpression' || (isOptional(parent) && (place === 'object' || place === 'callee'));
}

function isOptional({ type }) {
  return type === 'OptionalMemberExpression' || type === 'OptionalCallExpression';
}

function removedStatement(node, { isConstructor }) {
  if (node.type !== 'ExpressionStatement') return [];
  const { expression } = node;
  const inner = expression.type === 'AwaitExpression' ? expression.argument : expression;
  if (!removable.has(inner.type) || inner.callee?.type === 'Super') return [];
  // Without its fields, no object works at all.
  return isConstructor && inner.type === 'AssignmentExpression' ? [] : [''];
}

/** Conditions become true and false, and operands are left out: a negated part would show no more than they do. */
function isDecided({ parent, place }) {
  return parent.type === 'LogicalExpression' || (place === 'test' && branches.has(parent.type));
}

function withOperator({ start, end, left, right, operator }, replacement, source) {
  const between = source.slice(left.end, right.start);
  return source.slice(start, left.end) + between.replace(operator, replacement) + source.slice(right.start, end);
}

function textOf({ start, end }, source) {
  return source.slice(start, end);
}
