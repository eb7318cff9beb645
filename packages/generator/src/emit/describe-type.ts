import type { TypeModel } from '../model/index.js';
import type { TypeIndex } from './type-index.js';

/** What a value must be, for callers: `a string or an object`. */
export function describeType(type: TypeModel, types: TypeIndex): string {
  switch (type.kind) {
    case 'string':
      return type.format === 'uuid' ? 'a UUID' : type.format === 'decimal' ? 'a decimal number' : 'a string';
    case 'number':
      return type.integer ? 'an integer' : 'a number';
    case 'boolean':
      return 'true or false';
    case 'date':
      return 'a date and time';
    case 'json':
      return 'JSON';
    case 'null':
      return 'null';
    case 'literal':
      return `${type.values.length === 1 ? '' : 'one of '}${type.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'nullable':
      return `${describeType(type.type, types)} or null`;
    case 'array':
    case 'set':
    case 'tuple':
      return 'an array';
    case 'record':
    case 'object':
    case 'tagged':
      return 'an object';
    case 'union':
      return type.arms.map((arm) => describeType(arm, types)).join(' or ');
    case 'ref':
      return describeType(types.get(type.id).type, types);
  }
}
