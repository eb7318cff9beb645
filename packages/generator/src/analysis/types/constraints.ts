import { ts } from '../compiler.js';
import type { Compilation } from '../compilation.js';
import type { Site } from './draft.js';

/** The combined constraints of a type: `Int & Min<1> & Max<9>`. */
export interface Constraints {
  integer?: true;
  min?: number;
  max?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  format?: string;
  secret?: true;
  personal?: string;
}

export type ConstraintName = keyof Constraints;

/** How each constraint is written, and the types it applies to. */
const known: Readonly<Record<ConstraintName, { readonly word: string; readonly fits: string }>> = {
  integer: { word: 'Int', fits: 'number' },
  min: { word: 'Min', fits: 'number, Int and Decimal' },
  max: { word: 'Max', fits: 'number, Int and Decimal' },
  minLength: { word: 'MinLength', fits: 'string' },
  maxLength: { word: 'MaxLength', fits: 'string' },
  minItems: { word: 'MinItems', fits: 'arrays and sets' },
  maxItems: { word: 'MaxItems', fits: 'arrays and sets' },
  pattern: { word: 'Pattern', fits: 'string' },
  format: { word: 'Format', fits: 'string' },
  secret: { word: 'Secret', fits: 'string' },
  personal: { word: 'Personal', fits: 'properties' },
};

const ranges: readonly (readonly [ConstraintName, ConstraintName])[] = [
  ['min', 'max'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
];

/** Whether a part of an intersection is a constraint of core. */
export function isConstraint(part: ts.Type, { checker, core }: Compilation): boolean {
  return (part.flags & ts.TypeFlags.Object) !== 0 && propertyOf(part, core.constraintsKey, checker) !== undefined;
}

/** The constraints among the parts of an intersection. Invalid values are reported to `site`, if given, and omitted. */
export function readConstraints(parts: readonly ts.Type[], compilation: Compilation, site: Site | null): Constraints {
  const { checker, core } = compilation;
  const found: Constraints = {};
  for (const part of parts) {
    const carrier = propertyOf(part, core.constraintsKey, checker);
    if (carrier === undefined) continue;
    const values = checker.getNonNullableType(checker.getTypeOfSymbol(carrier));
    for (const property of checker.getPropertiesOfType(values)) {
      const name = property.name as ConstraintName;
      const type = checker.getTypeOfSymbol(property);
      const reason = add(found, name, valueOf(type));
      if (reason !== null) {
        site?.scope.report(site, 'SVC1021', site.where, `${known[name].word}<${checker.typeToString(type)}>`, reason);
      }
    }
  }
  if (site !== null) checkRanges(found, site);
  return found;
}

/** `Min<1>` */
export function constraintText(name: ConstraintName, value: unknown): string {
  const { word } = known[name];
  if (name === 'integer' || name === 'secret') return word;
  return `${word}<${typeof value === 'string' ? `'${value}'` : String(value)}>`;
}

/** Reports every constraint that does not apply to the type. */
export function reportMisfits(found: Constraints, fitting: readonly ConstraintName[], type: string, site: Site): void {
  for (const [name, value] of entriesOf(found)) {
    // It marks the property, whatever its type.
    if (fitting.includes(name) || name === 'personal') continue;
    site.scope.report(site, 'SVC1020', site.where, constraintText(name, value), type, known[name].fits);
  }
}

export function entriesOf(found: Constraints): [ConstraintName, unknown][] {
  return Object.entries(found) as [ConstraintName, unknown][];
}

function propertyOf(type: ts.Type, key: ts.__String, checker: ts.TypeChecker): ts.Symbol | undefined {
  if ((type.flags & ts.TypeFlags.Object) === 0) return undefined;
  return checker.getPropertiesOfType(type).find((property) => property.escapedName === key);
}

function valueOf(type: ts.Type): string | number | true | undefined {
  if (type.isStringLiteral() || type.isNumberLiteral()) return type.value;
  return (type.flags & ts.TypeFlags.BooleanLiteral) !== 0 ? true : undefined;
}

/** Adds one constraint; returns what is wrong with it, or null. Of two bounds the narrower one applies. */
function add(found: Constraints, name: ConstraintName, value: string | number | true | undefined): string | null {
  if (value === undefined) return 'whose value is not one literal';
  switch (name) {
    case 'integer':
    case 'secret':
      found[name] = true;
      return null;
    case 'pattern':
    case 'format':
    case 'personal':
      if (found[name] !== undefined && found[name] !== value) return `but there is another ${name}`;
      found[name] = String(value);
      return null;
    default:
      return addBound(found, name, Number(value));
  }
}

function addBound(
  found: Constraints,
  name: Exclude<ConstraintName, 'integer' | 'pattern' | 'format' | 'secret' | 'personal'>,
  value: number,
): string | null {
  if (!Number.isFinite(value)) return 'whose value is not a finite number';
  const counts = name !== 'min' && name !== 'max';
  if (counts && (!Number.isSafeInteger(value) || value < 0)) return 'whose value must be an integer of at least 0';
  const before = found[name];
  const narrower = name.startsWith('min') ? Math.max : Math.min;
  found[name] = before === undefined ? value : narrower(before, value);
  return null;
}

function checkRanges(found: Constraints, site: Site): void {
  for (const [low, high] of ranges) {
    const [from, to] = [found[low], found[high]];
    if (from === undefined || to === undefined || from <= to) continue;
    const text = `${constraintText(low, from)} & ${constraintText(high, to)}`;
    site.scope.report(site, 'SVC1021', site.where, text, 'which no value can satisfy');
    delete found[low];
    delete found[high];
  }
}
