import type { CodeEntry } from './code-table.js';

/** SVC22xx: the GraphQL documents of callers. */
export const documentCodes = {
  SVC2201: {
    title: 'A GraphQL document cannot be parsed',
    message: (reason: string) => `${reason} Fix the document.`,
  },
  SVC2202: {
    title: 'A GraphQL document does not match the schema',
    message: (reason: string) => `${reason} Change the document to match the schema of the service.`,
  },
  SVC2203: {
    title: 'A GraphQL operation has no name',
    message: (kind: string) =>
      `The ${kind} has no name, after which its types are named. Give it one: ${kind} OrderList { … }.`,
  },
  SVC2204: {
    title: 'Two GraphQL operations or fragments have the same name',
    message: (kind: string, name: string, place: string) =>
      `The ${kind} ${name} is also in ${place}. Rename one of them: all files share the names.`,
  },
  SVC2205: {
    title: 'The field of a subscription can be skipped',
    message: (name: string) =>
      `The field of the subscription ${name} has @skip or @include, and without it there are no results. Remove the directive.`,
  },
  SVC2206: {
    title: 'The argument of graphql is not a literal',
    message: () =>
      'svc cannot read the document. Write it as graphql(`query …`): with parentheses, without ${…} and without variables. To share fields, use a fragment.',
  },
  SVC2207: {
    title: 'A call of graphql has several operations',
    message: (first: string, second: string) =>
      `The call has the operations ${first} and ${second}, but returns one document. Call graphql once for each.`,
  },
  SVC2208: {
    title: 'The service has no GraphQL schema',
    message: () =>
      'The service serves nothing over GraphQL. Give a perspective a graphQLQuery or a command a graphQLMutation, or remove the document.',
  },
} as const satisfies Record<string, CodeEntry>;
