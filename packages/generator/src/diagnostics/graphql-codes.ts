import type { CodeEntry } from './code-table.js';

/** SVC15xx: what GraphQL cannot express. They are reported at the mutation or query that asks for it. */
export const graphqlCodes = {
  SVC1501: {
    title: 'Two types have the same name in the GraphQL schema',
    message: (name: string, first: string, second: string) =>
      `The GraphQL schema would have two types called ${name}, for ${first} and for ${second}. Rename one of the types, or declare an inline type under a name.`,
  },
  SVC1502: {
    title: 'A type name is not allowed in the GraphQL schema',
    message: (where: string, name: string, reason: string) =>
      `${where} would be called ${name} in the GraphQL schema, which ${reason}. Rename the type.`,
  },
  SVC1503: {
    title: 'A property name is not allowed in the GraphQL schema',
    message: (where: string) =>
      `${where} cannot be a field of the GraphQL schema. Rename the property to letters, digits and underscores, not starting with a digit or two underscores; or use Record<string, T> or unknown, which become JSON.`,
  },
  SVC1504: {
    title: 'Two members of a union have the same key in the GraphQL schema',
    message: (where: string, first: string, second: string, key: string) =>
      `${where} has members with the tags ${first} and ${second}, which would both have the key ${key}. Change one of the tags.`,
  },
  SVC1505: {
    title: 'An input contains itself without a limit',
    message: (type: string) =>
      `Every ${type} must contain another ${type}, so no finite value exists, and GraphQL rejects it. Make one of the properties involved optional, nullable or a list.`,
  },
} as const satisfies Record<string, CodeEntry>;
