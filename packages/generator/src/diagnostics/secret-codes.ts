import type { CodeEntry } from './code-table.js';

/** SVC103x: secrets. */
export const secretCodes = {
  SVC1030: {
    title: 'A secret would be stored or returned',
    message: (where: string, owner: string) =>
      `${where} is a Secret, and ${owner}, which is stored or returned, contains it. Remove it from there; store a reference, such as the id that the provider returned.`,
  },
  SVC1031: {
    title: 'A secret has a default value',
    message: (where: string) =>
      `${where} is a Secret with a default value, which is in the source code for everyone to read. Remove the value and make the property optional, or read the value from the environment in the receptor.`,
  },
} as const satisfies Record<string, CodeEntry>;
