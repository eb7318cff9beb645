import type { NumberType, StringType, TypeModel } from '../../model/index.js';
import { ts } from '../compiler.js';
import type { Compilation } from '../compilation.js';
import {
  constraintText,
  entriesOf,
  readConstraints,
  reportMisfits,
  type ConstraintName,
  type Constraints,
} from './constraints.js';
import type { Site } from './draft.js';

const textConstraints: readonly ConstraintName[] = ['minLength', 'maxLength', 'pattern', 'format', 'secret'];
const boundConstraints: readonly ConstraintName[] = ['min', 'max'];
const numberConstraints: readonly ConstraintName[] = ['integer', 'min', 'max'];

const primitives =
  ts.TypeFlags.StringLike |
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.BooleanLike |
  ts.TypeFlags.BigIntLike |
  ts.TypeFlags.ESSymbolLike;

/** The primitive of an intersection whose other parts are constraints and brands; undefined if there is none. */
export function primitiveIn(parts: readonly ts.Type[]): ts.Type | undefined {
  return parts.find((part) => (part.flags & primitives) !== 0);
}

/** `string`, `number`, `Uuid`, `Decimal`, with their constraints. A user's own brand changes nothing on the wire. */
export function readScalar(parts: readonly ts.Type[], compilation: Compilation, site: Site | null): TypeModel | null {
  const primitive = primitiveIn(parts);
  if (primitive === undefined) return null;
  const constraints = readConstraints(parts, compilation, site);
  if ((primitive.flags & ts.TypeFlags.String) !== 0) return readString(parts, constraints, compilation, site);
  if ((primitive.flags & ts.TypeFlags.Number) !== 0) return readNumber(constraints, site);
  if (site !== null) reportMisfits(constraints, [], compilation.checker.typeToString(primitive), site);
  return null;
}

/** As a user would write it: `string & MinLength<1>`. */
export function scalarText(type: StringType | NumberType): string {
  if (type.kind === 'number') {
    const { kind: _, integer, ...bounds } = type;
    return [integer ? 'Int' : 'number', ...boundTexts(bounds)].join(' & ');
  }
  const { kind: _, format, ...rest } = type;
  const base = format === 'uuid' ? 'Uuid' : format === 'decimal' ? 'Decimal' : 'string';
  const formats = format?.startsWith('format:') === true ? [`Format<'${format.slice('format:'.length)}'>`] : [];
  return [base, ...formats, ...boundTexts(rest)].join(' & ');
}

function boundTexts(constraints: Constraints): string[] {
  return entriesOf(constraints).map(([name, value]) => constraintText(name, value));
}

function readString(
  parts: readonly ts.Type[],
  constraints: Constraints,
  compilation: Compilation,
  site: Site | null,
): StringType {
  const brand = brandIn(parts, compilation);
  if (brand !== null) {
    const fitting = brand === 'decimal' ? boundConstraints : [];
    if (site !== null) reportMisfits(constraints, fitting, brand === 'uuid' ? 'Uuid' : 'Decimal', site);
    const { format: _, ...bounds } = pick(constraints, fitting);
    return { kind: 'string', format: brand, ...bounds };
  }
  if (site !== null) {
    reportMisfits(constraints, textConstraints, 'string', site);
    if (constraints.pattern !== undefined) checkPattern(constraints.pattern, site);
  }
  const { format, ...rest } = pick(withBoundForPattern(constraints), textConstraints);
  return { kind: 'string', ...(format === undefined ? {} : { format: named(format) }), ...rest };
}

/** The cost of a pattern can grow much faster than its text: without a `MaxLength`, longer texts are rejected. */
export const maxPatternLength = 1000;

function withBoundForPattern(constraints: Constraints): Constraints {
  const { pattern, maxLength, minLength = 0 } = constraints;
  if (pattern === undefined || maxLength !== undefined) return constraints;
  return { ...constraints, maxLength: Math.max(maxPatternLength, minLength) };
}

function named(format: string): `format:${string}` {
  return `format:${format}`;
}

function readNumber(constraints: Constraints, site: Site | null): NumberType {
  if (site !== null) reportMisfits(constraints, numberConstraints, 'number', site);
  const { integer, ...bounds } = pick(constraints, numberConstraints);
  return { kind: 'number', integer: integer === true, ...bounds };
}

function brandIn(parts: readonly ts.Type[], { checker, core }: Compilation): 'uuid' | 'decimal' | null {
  for (const part of parts) {
    if ((part.flags & ts.TypeFlags.Object) === 0) continue;
    const brand = checker.getPropertiesOfType(part).find((property) => property.escapedName === core.brandKey);
    const type = brand === undefined ? undefined : checker.getTypeOfSymbol(brand);
    if (type?.isStringLiteral() === true) return type.value === 'Uuid' ? 'uuid' : 'decimal';
  }
  return null;
}

function checkPattern(pattern: string, site: Site): void {
  try {
    RegExp(pattern, 'u');
  } catch (error) {
    const reason = String(error).replace(/^.*: /s, '');
    site.scope.report(site, 'SVC1022', site.where, `'${pattern}'`, reason);
  }
}

/** In the order of `names`, whatever their order in the source. */
function pick(constraints: Constraints, names: readonly ConstraintName[]): Constraints {
  return Object.fromEntries(names.filter((name) => name in constraints).map((name) => [name, constraints[name]]));
}
