export {
  atLeast,
  atMost,
  decimalAtLeast,
  decimalAtMost,
  formatted,
  itemsWithin,
  lengthAtLeast,
  lengthAtMost,
  matching,
} from './checks.js';
export { durationOf } from './constraints.js';
export type {
  Duration,
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
  Personal,
  Secret,
} from './constraints.js';
export { flat } from './flat.js';
export {
  dropNull,
  nullWhenMissing,
  prepareAt,
  prepareList,
  prepareOneOf,
  type InputArm,
  type PrepareInput,
} from './graphql-input.js';
export { compareDecimal, isDecimal, isLowerCaseUuid, longestDecimal, parseTimestamp } from './formats.js';
export { Issues } from './issues.js';
export { issuesIn, type FlawOf } from './issues-in.js';
export { maximumDepth } from './limits.js';
export { parseJson } from './parse-json.js';
export { readOrThrow, type Reader, type Writer } from './reader.js';
export { requestNotMapped } from './request-not-mapped.js';
export { textsIn } from './texts.js';
export { decimal, uuid, type Decimal, type ExactNumber, type Uuid } from './scalar-types.js';
export {
  readBoolean,
  readDate,
  readDecimal,
  readInteger,
  readLiteral,
  readNull,
  readNumber,
  readString,
  readUuid,
} from './scalars.js';
export {
  hasPersonal,
  personalText,
  personalTextsIn,
  readable,
  personalValuesIn,
  replacePersonal,
  encryptedPrefix,
  encryptedString,
  encryptedValue,
  subjectsIn,
  withoutDelimiters,
  withoutLookalikes,
  withoutMarks,
} from './personal.js';
export { hiddenSecret, secretsIn, secretText } from './secrets.js';
export {
  countKeys,
  isObject,
  isPoisonKey,
  ownValue,
  readJson,
  removeUnknown,
  type Draft,
  type Field,
} from './shapes.js';
export {
  escaped,
  isoText,
  JsonText,
  unwritable,
  writeBoolean,
  writeJson,
  writeLiteral,
  writeNumber,
  writeString,
} from './writing.js';
