import type { CodeEntry } from './code-table.js';

/** SVC17xx: how perspectives are read. */
export const queryCodes = {
  SVC1701: {
    title: 'The route or the name of a query is not a literal',
    message: (option: string, perspective: string, type: string) =>
      `${option} of ${perspective} is ${type}, so its value is unknown to the generator. Use a string literal, or a const that holds one.`,
  },
  SVC1702: {
    title: 'A query name is not valid',
    message: (query: string, perspective: string, reason: string) =>
      `The GraphQL query ${query} of ${perspective} ${reason}. Use letters, digits and underscores, such as order.`,
  },
  SVC1703: {
    title: 'Two queries have the same name',
    message: (query: string, perspective: string, other: string) =>
      perspective === other
        ? `${perspective} has two GraphQL queries called ${query}. Use different names: graphQLQuery: 'order' for a single model, and graphQLListQuery: 'orders' for a page.`
        : `${perspective} and ${other} both have the GraphQL query ${query}. Rename one of them.`,
  },
  SVC1704: {
    title: 'A perspective is decorated twice',
    message: (perspective: string) =>
      `${perspective} has a second perspective decorator, and only one of them counts. Combine both into one.`,
  },
  SVC1705: {
    title: 'perspective is on a class that is not a perspective',
    message: (name: string, fault: string) =>
      `perspective is used on ${name}, which ${fault}, so it has no effect. Write class ${name} implements Perspective<Model, EventA | EventB>, with Perspective from @svc/core, or remove it.`,
  },
  SVC1706: {
    title: 'perspective is called outside the module of its class',
    message: (perspective: string) =>
      `perspective is called on ${perspective}, which is declared in another module. Move the call into the module that declares ${perspective}.`,
  },
} as const satisfies Record<string, CodeEntry>;
