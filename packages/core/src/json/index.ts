export type {
  Format,
  FormatName,
  Int,
  Max,
  MaxItems,
  MaxLength,
  Min,
  MinItems,
  MinLength,
  Pattern,
} from './constraints.js';
export { compareDecimal, describeFormat, isDecimal, isFormat, lengthOf } from './formats.js';
export { Issues } from './issues.js';
export { parseJson } from './parse-json.js';
export { readOrThrow, type Reader, type Writer } from './reader.js';
export { decimal, uuid, type Decimal, type Uuid } from './scalar-types.js';
export { readDate, readDecimal, readInteger, readNumber, readUuid } from './scalars.js';
export { countKeys, isObject, isPoisonKey, ownValue, readJson, type Draft } from './shapes.js';
export {
  unwritable,
  writeArray,
  writeBoolean,
  writeDate,
  writeJson,
  writeLiteral,
  writeNumber,
  writeRecord,
  writeString,
} from './writing.js';
