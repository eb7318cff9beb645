import type { TypeModel } from '../../model/index.js';
import type { ts } from '../compiler.js';
import { isConstraint, readConstraints, reportMisfits } from './constraints.js';
import type { Site } from './draft.js';
import { isPlainObject, readObject } from './objects.js';
import { primitiveIn, readScalar } from './scalars.js';
import { unreadable, type TypeReader } from './type-reader.js';
import { typeText } from './type-text.js';

/** A scalar or list with constraints, or several object types. */
export function readIntersection(type: ts.IntersectionType, reader: TypeReader, site: Site): TypeModel {
  const { compilation } = reader;
  const primitive = primitiveIn(type.types);
  // Other parts of a primitive can only be constraints and brands: no value is both a primitive and an object.
  if (primitive !== undefined) return readScalar(type.types, compilation, site) ?? reader.read(primitive, site);

  const parts = type.types.filter((part) => !isConstraint(part, compilation));
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return readConstrained(only, type.types, reader, site);
  if (!parts.every((part) => isPlainObject(part, compilation))) {
    site.scope.report(site, 'SVC1029', site.where, typeText(type, compilation));
    return unreadable;
  }
  reportMisfits(readConstraints(type.types, compilation, site), [], 'an object', site);
  return readObject(type, reader, site);
}

function readConstrained(only: ts.Type, parts: readonly ts.Type[], reader: TypeReader, site: Site): TypeModel {
  const { compilation } = reader;
  const constraints = readConstraints(parts, compilation, site);
  const model = reader.read(only, site);
  if (model.kind !== 'array' && model.kind !== 'set') {
    reportMisfits(constraints, [], typeText(only, compilation), site);
    return model;
  }
  reportMisfits(constraints, ['minItems', 'maxItems'], typeText(only, compilation), site);
  const { minItems, maxItems } = constraints;
  return {
    ...model,
    ...(minItems === undefined ? {} : { minItems }),
    ...(maxItems === undefined ? {} : { maxItems }),
  };
}
