import type { CodeEntry } from './code-table.js';

/** SVC112x: parameters in the routes of commands. */
export const pathCodes = {
  SVC1120: {
    title: 'A path parameter is not a required property',
    message: (parameter: string, route: string, reason: string, owner: string) =>
      `The route ${route} has the parameter :${parameter}, but ${parameter} ${reason}. Name a required property of ${owner}, such as ${parameter}!: Uuid.`,
  },
  SVC1121: {
    title: 'A property cannot be a path parameter',
    message: (where: string, route: string, reason: string) =>
      `${where} is a parameter of the route ${route}, but it ${reason}. Parameters are strings, Uuid, Decimal, Date, Int or unions of string literals. Remove it from the route, so that callers send it in the body.`,
  },
  SVC1122: {
    title: 'A route has a parameter twice',
    message: (parameter: string, route: string) =>
      `The route ${route} has the parameter :${parameter} twice. Name another property in one of the two places.`,
  },
  SVC1123: {
    title: 'The routes of two commands match the same paths',
    message: (route: string, command: string, otherRoute: string, other: string) =>
      `${route} of ${command} and ${otherRoute} of ${other} match the same paths. Give one of them another route.`,
  },
} as const satisfies Record<string, CodeEntry>;
