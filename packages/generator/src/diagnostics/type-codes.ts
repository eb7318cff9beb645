import type { CodeEntry } from './code-table.js';

/** SVC10xx: types that cannot be read from JSON and written to it. `where` is a property, such as `CreateOrder.total`. */
export const typeCodes = {
  SVC1001: {
    title: 'A type is any',
    message: (where: string) =>
      `${where} is any, so it cannot be validated. Declare its type, or use unknown to accept any JSON.`,
  },
  SVC1002: {
    title: 'A type is object or {}',
    message: (where: string, type: string) =>
      `${where} is ${type}, which does not describe its properties. Declare them, or use Record<string, T>, or unknown to accept any JSON.`,
  },
  SVC1003: {
    title: 'A type is never',
    message: (where: string) =>
      `${where} is never: no value has that type. Remove it, or fix the types that it is composed of.`,
  },
  SVC1004: {
    title: 'A type is bigint',
    message: (where: string) =>
      `${where} is a bigint, which JSON does not support. Use Int for integers up to 2^53, or Decimal for larger ones.`,
  },
  SVC1005: {
    title: 'A type is symbol',
    message: (where: string) =>
      `${where} is a symbol, which JSON does not support. Use a string or a union of string literals.`,
  },
  SVC1006: {
    title: 'A property is a function',
    message: (where: string) =>
      `${where} is a function, which JSON does not support. Make it a method of the message class, or a separate function.`,
  },
  SVC1007: {
    title: 'A built-in class cannot be represented in JSON',
    message: (where: string, type: string, fix: string) =>
      `${where} is of the built-in type ${type}, which cannot be represented in JSON. ${fix}`,
  },
  SVC1008: {
    title: 'The members of a union cannot be distinguished',
    message: (where: string, arms: string) =>
      `${where} can be ${arms}, which JSON cannot distinguish. Give each object the same property with a different literal (kind: 'a' | kind: 'b'), or use one type.`,
  },
  SVC1009: {
    title: 'Several members of a union are strings',
    message: (where: string, arms: string) =>
      `${where} can be ${arms}, which are all strings in JSON. Use one of them, or null for "none", or objects with a literal property that distinguishes them.`,
  },
  SVC1010: {
    title: 'A type is a template literal',
    message: (where: string, type: string) =>
      `${where} is the template literal type ${type}, which cannot be validated at run time. Use string & Pattern<'…'>.`,
  },
  SVC1011: {
    title: 'The items of a set are not scalars',
    message: (where: string, items: string) =>
      `${where} is a set of ${items}, but a set can only compare scalars. Use an array.`,
  },
  SVC1012: {
    title: 'A tuple has optional or rest elements',
    message: (where: string, type: string, fix: string) =>
      `${where} is the tuple ${type}, whose length is not fixed. Use ${fix}.`,
  },
  SVC1013: {
    title: 'An object has both properties and an index signature',
    message: (where: string) =>
      `${where} has both named properties and an index signature. Move the index signature to a separate property: labels: Record<string, string>.`,
  },
  SVC1014: {
    title: 'The key of an index signature is not string',
    message: (where: string, key: string) =>
      `${where} has an index signature with ${key} keys, but JSON keys are plain strings. Use Record<string, T>, or an array.`,
  },
  SVC1015: {
    title: 'A property has a forbidden name',
    message: (where: string, name: string) =>
      `${where} cannot be read from JSON: the key ${name} is rejected, because it could change an object's prototype. Rename the property.`,
  },
  SVC1016: {
    title: 'A property is private or protected',
    message: (where: string, visibility: string) =>
      `${where} is ${visibility}, so JSON cannot contain it and its value would be lost. Make it public, or remove it from the class.`,
  },
  SVC1017: {
    title: 'A nested class has a method or accessor',
    message: (where: string, kind: string, owner: string) =>
      `${where} is ${kind}, but nested objects are plain data, so it would be missing at run time. Write a function that takes a ${owner}, or make ${owner} an interface.`,
  },
  SVC1018: {
    title: 'A message or request class cannot be constructed',
    message: (owner: string, parameter: string) =>
      `${owner} cannot be constructed from JSON: ${parameter}. Give it a constructor without required parameters, or one whose parameters are all properties (constructor(readonly id: Uuid)).`,
  },
  SVC1019: {
    title: 'The initializers of a nested class cannot be used',
    message: (owner: string, reason: string) =>
      `${owner} has initialized properties, whose values a new instance supplies when they are omitted, but ${reason}. Export the class with a constructor that needs no arguments, or declare the properties without initializers.`,
  },
  SVC1020: {
    title: 'A constraint does not fit its type',
    message: (where: string, constraint: string, type: string, fits: string) =>
      `${where} has the constraint ${constraint} on ${type}, to which it does not apply. It applies to ${fits}. Remove it or change the type.`,
  },
  SVC1021: {
    title: 'A constraint has an invalid value',
    message: (where: string, constraint: string, reason: string) =>
      `${where} has the constraint ${constraint}, ${reason}. Give it one literal value that can be satisfied.`,
  },
  SVC1022: {
    title: 'A pattern is not a regular expression',
    message: (where: string, pattern: string, reason: string) =>
      `${where} has the pattern ${pattern}, which is not a regular expression with the u flag (${reason}). Fix the expression; in a string literal, write a backslash twice.`,
  },
  SVC1023: {
    title: 'A type depends on an unbound type parameter',
    message: (where: string, type: string) =>
      `${where} is ${type}, which depends on a type parameter without an argument. Give the type argument where the type is used.`,
  },
  SVC1024: {
    title: 'A type cannot be found',
    message: (where: string, type: string) =>
      `${where} is ${type}, and that type cannot be found. Import it, or correct its name. Types of the DOM and of Node are not available, because they cannot be represented in JSON.`,
  },
  SVC1025: {
    title: 'An item can be undefined',
    message: (where: string) =>
      `${where} has items that can be undefined, which JSON does not support. Use null, or omit such items.`,
  },
  SVC1026: {
    title: 'A property can only be null',
    message: (where: string) => `${where} can only be null. Declare its other values, or remove it.`,
  },
  SVC1027: {
    title: 'A type without a name contains itself',
    message: (where: string, type: string) =>
      `${where} is ${type}, which contains itself and has no name. Declare it as an interface and use that: interface Node extends ${type} {}.`,
  },
  SVC1028: {
    title: 'An enum has computed members',
    message: (where: string, type: string) =>
      `${where} is the enum ${type}, some of whose members are computed, so their values are unknown. Give every member a literal value.`,
  },
  SVC1029: {
    title: 'An intersection cannot be represented in JSON',
    message: (where: string, type: string) =>
      `${where} is ${type}, which cannot be one JSON value. Use an object with a property for each part.`,
  },
} as const satisfies Record<string, CodeEntry>;
