import type { TypeModel } from '../../model/index.js';
import { ts, writtenParts } from '../compiler.js';
import type { Compilation } from '../compilation.js';
import type { Site } from './draft.js';

/** The interface between the readers of unions, objects and other types. */
export interface TypeReader {
  readonly compilation: Compilation;
  /** Reads a type at a location of the user's code. An unsupported type is reported and becomes any JSON in the model. */
  read(type: ts.Type, site: Site): TypeModel;
  /** Reads a named type by its structure. */
  readStructure(type: ts.Type, site: Site): TypeModel;
}

/** The type of something that could not be read. */
export const unreadable: TypeModel = { kind: 'json' };

/** How an omitted value is treated. */
export const nothing = ts.TypeFlags.Undefined | ts.TypeFlags.Void;

export function canBe(type: ts.Type, flags: ts.TypeFlags): boolean {
  return type.isUnion() ? type.types.some((part) => (part.flags & flags) !== 0) : (type.flags & flags) !== 0;
}

/** A type without its `null` and `undefined`. A named union retains its name. */
export function withoutNothing(type: ts.Type, { checker }: Compilation): ts.Type {
  return type.isUnion() ? checker.getNonNullableType(type) : type;
}

/** A type without its `undefined`. `null`, a JSON value, stays as far as the checker allows. */
export function withoutUndefined(type: ts.Type, compilation: Compilation): ts.Type {
  if (!type.isUnion() || !canBe(type, nothing)) return type;
  const [only, ...others] = writtenParts(type).filter((part) => (part.flags & nothing) === 0);
  if (only !== undefined && others.length === 0) return only;
  return canBe(type, ts.TypeFlags.Null) ? type : withoutNothing(type, compilation);
}
