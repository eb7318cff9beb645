import type { TypeModel } from '../../model/index.js';
import { ts, writtenParts } from '../compiler.js';
import type { Compilation } from '../compilation.js';
import type { Site } from './draft.js';

/** Reads types; what the files about unions, objects and the rest need of each other. */
export interface TypeReader {
  readonly compilation: Compilation;
  /** A type at a place in the user's code. What cannot be read is reported to the site, and stands as any JSON in the model. */
  read(type: ts.Type, site: Site): TypeModel;
  /** The same for what a name stands for, without the name. */
  readStructure(type: ts.Type, site: Site): TypeModel;
}

/** Stands for what could not be read. */
export const unreadable: TypeModel = { kind: 'json' };

/** What a value is when it is left out. */
export const nothing = ts.TypeFlags.Undefined | ts.TypeFlags.Void;

export function canBe(type: ts.Type, flags: ts.TypeFlags): boolean {
  return type.isUnion() ? type.types.some((part) => (part.flags & flags) !== 0) : (type.flags & flags) !== 0;
}

/** A type without its `null` and `undefined`. A named union keeps its name. */
export function withoutNothing(type: ts.Type, { checker }: Compilation): ts.Type {
  return type.isUnion() ? checker.getNonNullableType(type) : type;
}

/** A type without its `undefined`; `null`, which is a value in JSON, stays as far as the checker lets it. */
export function withoutUndefined(type: ts.Type, compilation: Compilation): ts.Type {
  if (!type.isUnion() || !canBe(type, nothing)) return type;
  const [only, ...others] = writtenParts(type).filter((part) => (part.flags & nothing) === 0);
  if (only !== undefined && others.length === 0) return only;
  return canBe(type, ts.TypeFlags.Null) ? type : withoutNothing(type, compilation);
}
