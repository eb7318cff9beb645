import type { ArrayType, DefaultValue, NumberType, StringType, TypeModel } from '../../model/index.js';
import { ts } from '../compiler.js';
import { constraintText, type ConstraintName } from './constraints.js';
import type { Site } from './draft.js';
import { literalValue } from './literals.js';
import type { TypeReader } from './type-reader.js';

/** Reports a default value that violates the constraints of its property, as far as the source shows the value. */
export function checkDefault(
  declaration: ts.Declaration,
  type: TypeModel,
  { compilation }: TypeReader,
  site: Site,
): void {
  if (!ts.isPropertyDeclaration(declaration) && !ts.isParameter(declaration)) return;
  const { initializer } = declaration;
  if (initializer === undefined) return;
  const fault = faultOf(valueOf(initializer, compilation.checker), type);
  if (fault === null) return;
  const place = site.node === null ? site : { ...site, node: initializer };
  site.scope.report(place, 'SVC1050', site.where, fault.value, fault.constraint);
}

/** The default value of a property; undefined: the source does not show it. */
export function defaultOf(declaration: ts.Declaration, checker: ts.TypeChecker): DefaultValue | undefined {
  if (!ts.isPropertyDeclaration(declaration) && !ts.isParameter(declaration)) return undefined;
  const { initializer } = declaration;
  const value = initializer === undefined ? unknown : valueOf(initializer, checker);
  return isKnown(value) ? value : undefined;
}

function isKnown(value: Value): value is DefaultValue {
  return isList(value) ? value.every(isKnown) : value !== unknown;
}

/** A value that is unknown until run time. */
const unknown = Symbol('unknown');

type Value = string | number | boolean | null | readonly Value[] | typeof unknown;

/** A value, and the constraint that it violates. */
interface Fault {
  readonly value: string;
  readonly constraint: string;
}

/** The value of an expression: a literal, a constant, or a list of them. */
function valueOf(node: ts.Expression, checker: ts.TypeChecker): Value {
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) {
    return valueOf(node.expression, checker);
  }
  if (node.kind === ts.SyntaxKind.NullKeyword) return null;
  if (ts.isArrayLiteralExpression(node)) {
    const hasSpread = node.elements.some((element) => ts.isSpreadElement(element));
    return hasSpread ? unknown : node.elements.map((element) => valueOf(element, checker));
  }
  if (ts.isNewExpression(node) && node.expression.getText() === 'Set') {
    const [items] = node.arguments ?? [];
    return items === undefined ? [] : withoutRepetition(valueOf(items, checker));
  }
  return literalValue(checker.getTypeAtLocation(node)) ?? unknown;
}

function withoutRepetition(items: Value): Value {
  return Array.isArray(items) && !items.includes(unknown) ? [...new Set(items)] : unknown;
}

function faultOf(value: Value, type: TypeModel): Fault | null {
  if (value === unknown || value === null) return null;
  switch (type.kind) {
    case 'nullable':
      return faultOf(value, type.type);
    case 'union':
      return type.arms.map((arm) => faultOf(value, arm)).find((fault) => fault !== null) ?? null;
    case 'number':
      return typeof value === 'number' ? numberFault(value, type) : null;
    case 'string':
      return typeof value === 'string' ? stringFault(value, type) : null;
    case 'array':
    case 'set':
      return isList(value) ? listFault(value, type) : null;
    case 'tuple':
      return isList(value)
        ? firstFault(value.map((item, i) => faultOf(item, type.items[i] ?? { kind: 'json' })))
        : null;
    default:
      return null;
  }
}

function numberFault(value: number, { integer, min, max }: NumberType): Fault | null {
  const text = String(value);
  if (integer && !Number.isSafeInteger(value)) return violates(text, 'integer', true);
  if (min !== undefined && value < min) return violates(text, 'min', min);
  return max !== undefined && value > max ? violates(text, 'max', max) : null;
}

function stringFault(value: string, { format, minLength, maxLength, pattern, min, max }: StringType): Fault | null {
  const text = `'${value}'`;
  // Code points, as at run time.
  const { length } = Array.from(value);
  if (minLength !== undefined && length < minLength) return violates(text, 'minLength', minLength);
  if (maxLength !== undefined && length > maxLength) return violates(text, 'maxLength', maxLength);
  if (pattern !== undefined && !matches(value, pattern)) return violates(text, 'pattern', pattern);
  if (format !== 'decimal') return null;
  return numberFault(Number(value), { kind: 'number', integer: false, ...bounds(min, max) });
}

function bounds(min: number | undefined, max: number | undefined): Pick<NumberType, 'min' | 'max'> {
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}

/** A pattern that is not valid has its own diagnostic. */
function matches(value: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true;
  }
}

function listFault(value: readonly Value[], { items, minItems, maxItems }: ArrayType): Fault | null {
  const text = value.length === 0 ? '[]' : `of ${value.length} ${value.length === 1 ? 'item' : 'items'}`;
  if (minItems !== undefined && value.length < minItems) return violates(text, 'minItems', minItems);
  if (maxItems !== undefined && value.length > maxItems) return violates(text, 'maxItems', maxItems);
  return firstFault(value.map((item) => faultOf(item, items)));
}

function firstFault(faults: readonly (Fault | null)[]): Fault | null {
  return faults.find((fault) => fault !== null) ?? null;
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

function violates(value: string, name: ConstraintName, bound: unknown): Fault {
  return { value, constraint: constraintText(name, bound) };
}
