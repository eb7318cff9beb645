import type { CodeEntry } from './code-table.js';

/** SVC10xx: types that cannot be read from JSON and written to it. `where` is a property, such as `CreateOrder.total`. */
export const typeCodes = {
  SVC1001: {
    title: 'A type is any',
    message: (where: string) =>
      `${where} is any, so nothing about it can be checked. Declare its type, or unknown when any JSON is welcome.`,
  },
  SVC1002: {
    title: 'A type is object or {}',
    message: (where: string, type: string) =>
      `${where} is ${type}, which does not say what it holds. Declare its properties, or use Record<string, T>, or unknown for any JSON.`,
  },
  SVC1003: {
    title: 'A type is never',
    message: (where: string) =>
      `${where} is never: no value has that type. Remove it, or mend the types that leave nothing over.`,
  },
  SVC1004: {
    title: 'A type is bigint',
    message: (where: string) =>
      `${where} is a bigint, which JSON cannot carry. Use Int for whole numbers up to 2^53, or Decimal for longer ones.`,
  },
  SVC1005: {
    title: 'A type is symbol',
    message: (where: string) =>
      `${where} is a symbol, which JSON cannot carry. Use a string or a union of string literals.`,
  },
  SVC1006: {
    title: 'A property is a function',
    message: (where: string) =>
      `${where} is a function, which JSON cannot carry. Make it a method of a message class, or a function outside.`,
  },
  SVC1007: {
    title: 'A built-in class has no JSON form',
    message: (where: string, type: string, mend: string) =>
      `${where} is of the built-in type ${type}, which has no JSON form. ${mend}`,
  },
  SVC1008: {
    title: 'The arms of a union cannot be told apart',
    message: (where: string, arms: string) =>
      `${where} can be ${arms}, and JSON does not tell which. Give each object a property of one name with a different literal (kind: 'a' | kind: 'b'), or use one type.`,
  },
  SVC1009: {
    title: 'Several arms of a union are strings',
    message: (where: string, arms: string) =>
      `${where} can be ${arms}, which are all strings in JSON. Use one of them, or null for "none", or objects told apart by a literal property.`,
  },
  SVC1010: {
    title: 'A type is a template literal',
    message: (where: string, type: string) =>
      `${where} is the template literal type ${type}, which is not checked at run time. Use string & Pattern<'…'>.`,
  },
  SVC1011: {
    title: 'The items of a set are not scalars',
    message: (where: string, items: string) =>
      `${where} is a set of ${items}, and only scalars can be told apart in a set. Use an array.`,
  },
  SVC1012: {
    title: 'A tuple has optional or rest elements',
    message: (where: string, type: string) =>
      `${where} is the tuple ${type}, whose length is not fixed. Use an array, or an object with optional properties.`,
  },
  SVC1013: {
    title: 'An object has both properties and an index signature',
    message: (where: string) =>
      `${where} has both named properties and an index signature. Move the open keys to a property of their own: labels: Record<string, string>.`,
  },
  SVC1014: {
    title: 'The key of an index signature is not string',
    message: (where: string, key: string) =>
      `${where} has an index signature with ${key} keys, and keys in JSON are plain strings. Use Record<string, T>, or an array.`,
  },
  SVC1015: {
    title: 'A property has a forbidden name',
    message: (where: string, name: string) =>
      `${where} cannot be read from JSON: ${name} as a key is refused, since it could reach an object's prototype. Rename the property.`,
  },
  SVC1016: {
    title: 'A property is private or protected',
    message: (where: string, visibility: string) =>
      `${where} is ${visibility}, so it can be neither read nor written, and would be lost. Make it public, or keep it out of the class.`,
  },
  SVC1017: {
    title: 'A nested class has a method or accessor',
    message: (where: string, kind: string, owner: string) =>
      `${where} is ${kind}, but nested objects are plain data, so it would be missing at run time. Make it a function that takes a ${owner}, or make ${owner} an interface.`,
  },
  SVC1018: {
    title: 'A message or request class cannot be constructed',
    message: (owner: string, parameter: string) =>
      `${owner} cannot be made from JSON: ${parameter}. Give it a constructor without required parameters, or one whose parameters are all properties (constructor(readonly id: Uuid)).`,
  },
  SVC1019: {
    title: 'The initialisers of a nested class cannot be used',
    message: (owner: string, reason: string) =>
      `${owner} has initialised properties, which its class must supply when they are left out, but ${reason}. Export the class and let it be constructed without arguments, or declare the properties without initialisers.`,
  },
  SVC1020: {
    title: 'A constraint does not fit its type',
    message: (where: string, constraint: string, type: string, fits: string) =>
      `${where} has the constraint ${constraint} on ${type}, where it means nothing. It goes with ${fits}; remove it or change the type.`,
  },
  SVC1021: {
    title: 'A constraint has an unusable value',
    message: (where: string, constraint: string, reason: string) =>
      `${where} has the constraint ${constraint}, ${reason}. Give it one literal value that can be met.`,
  },
  SVC1022: {
    title: 'A pattern is not a regular expression',
    message: (where: string, pattern: string, reason: string) =>
      `${where} has the pattern ${pattern}, which is not a regular expression with the u flag (${reason}). Mend the expression; a backslash is written twice in a string literal.`,
  },
  SVC1023: {
    title: 'A type depends on an open type parameter',
    message: (where: string, type: string) =>
      `${where} is ${type}, which depends on a type parameter that nothing fills in. Give the type argument where the type is used.`,
  },
  SVC1024: {
    title: 'A type cannot be found',
    message: (where: string, type: string) =>
      `${where} is ${type}, and that type cannot be found. Import it, or mend its name; types of the DOM and of Node are not known here, since they have no JSON form.`,
  },
  SVC1025: {
    title: 'An item can be undefined',
    message: (where: string) =>
      `${where} has items that can be undefined, which JSON cannot carry. Use null, or leave such items out.`,
  },
  SVC1026: {
    title: 'A property can only be null',
    message: (where: string) => `${where} can only be null. Declare what else it can be, or remove it.`,
  },
  SVC1027: {
    title: 'A type without a name contains itself',
    message: (where: string, type: string) =>
      `${where} is ${type}, which contains itself and has no name of its own. Declare it as an interface and use that: interface Node extends ${type} {}.`,
  },
  SVC1028: {
    title: 'An enum has computed members',
    message: (where: string, type: string) =>
      `${where} is the enum ${type}, some of whose members are computed, so its values are not known. Give every member a literal value.`,
  },
  SVC1029: {
    title: 'An intersection has no JSON form',
    message: (where: string, type: string) =>
      `${where} is ${type}, and these cannot be one JSON value. Use an object with a property for each part.`,
  },
} as const satisfies Record<string, CodeEntry>;
