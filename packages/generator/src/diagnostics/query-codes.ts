import type { CodeEntry } from './code-table.js';

/** SVC17xx: how perspectives are read. */
export const queryCodes = {
  SVC1701: {
    title: 'The name of a query is not known beforehand',
    message: (option: string, perspective: string, type: string) =>
      `${option} of ${perspective} is ${type}, and the generator must know the text. Use a string literal, or a const that holds one.`,
  },
  SVC1702: {
    title: 'A query has a name that GraphQL does not allow',
    message: (query: string, perspective: string, reason: string) =>
      `The GraphQL query ${query} of ${perspective} ${reason}. Use letters, digits and underscores, such as order.`,
  },
  SVC1703: {
    title: 'Two queries have one name',
    message: (query: string, perspective: string, other: string) =>
      perspective === other
        ? `${perspective} has two GraphQL queries called ${query}. Call the one for a single model graphQLQuery: 'order', and the one for a page graphQLListQuery: 'orders'.`
        : `${perspective} and ${other} both have the GraphQL query ${query}. Rename one of them.`,
  },
  SVC1704: {
    title: 'A perspective is described twice',
    message: (perspective: string) =>
      `${perspective} has a second use of perspective, and only one of them counts. Put all options in one, and remove the other.`,
  },
  SVC1705: {
    title: 'perspective stands on something that is not a perspective',
    message: (name: string, fault: string) =>
      `perspective is used on ${name}, which ${fault}, so nothing comes of it. Write class ${name} implements Perspective<Model, EventA | EventB>, with Perspective from @svc/core, or remove it.`,
  },
  SVC1706: {
    title: 'perspective is called away from its perspective',
    message: (perspective: string) =>
      `perspective is called on ${perspective}, which is declared in another module. Move the call into the module that declares ${perspective}.`,
  },
} as const satisfies Record<string, CodeEntry>;
