import type { CodeEntry } from './code-table.js';

/** SVC1050: default values of properties. */
export const defaultCodes = {
  SVC1050: {
    title: 'A default value violates a constraint',
    message: (where: string, value: string, constraint: string) =>
      `${where} has the default ${value}, which violates ${constraint}. Defaults are not validated when the property is omitted. Change the default or the constraint.`,
  },
} as const satisfies Record<string, CodeEntry>;
