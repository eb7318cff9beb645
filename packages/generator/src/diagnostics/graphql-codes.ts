import type { CodeEntry } from './code-table.js';

/** SVC15xx: what GraphQL cannot express. They are reported at the mutation or query that asks for it. */
export const graphqlCodes = {
  SVC1501: {
    title: 'Two types have one name in the GraphQL schema',
    message: (name: string, first: string, second: string) =>
      `The GraphQL schema would have two types called ${name}, for ${first} and for ${second}. Rename one of the types, or declare a type that has no name with one of its own.`,
  },
  SVC1502: {
    title: 'A type cannot have its name in the GraphQL schema',
    message: (where: string, name: string, reason: string) =>
      `${where} would be called ${name} in the GraphQL schema, which ${reason}. Rename the type.`,
  },
  SVC1503: {
    title: 'A property cannot have its name in the GraphQL schema',
    message: (where: string) =>
      `${where} cannot be a field of the GraphQL schema. Rename the property to letters, digits and underscores, not starting with a digit or two underscores; or use Record<string, T> or unknown, which become JSON.`,
  },
  SVC1504: {
    title: 'Two arms of a union have one key in the GraphQL schema',
    message: (where: string, first: string, second: string, key: string) =>
      `${where} has arms with the tags ${first} and ${second}, which would both be sent under the key ${key}. Change one of the tags.`,
  },
  SVC1505: {
    title: 'An input contains itself without end',
    message: (type: string) =>
      `Every ${type} must contain another ${type}, so no value of it has an end, and GraphQL refuses it. Make one of the properties on the way optional or a list.`,
  },
} as const satisfies Record<string, CodeEntry>;
