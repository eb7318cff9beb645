import type { CodeEntry } from './code-table.js';

/** SVC1051 and SVC1052: types of other projects and packages. */
export const importedTypeCodes = {
  SVC1051: {
    title: 'The module of a type cannot be found',
    message: (where: string, type: string, module: string) =>
      `${where} is ${type}, imported from ${module}, which cannot be found. If it is a project of the same workspace, build it first (tsc -b). Otherwise install it, or correct the import.`,
  },
  SVC1052: {
    title: 'A type of a package is not plain data',
    message: (where: string, type: string, owner: string) =>
      `${where} is ${type} of ${owner}, which is not plain data. Use a Date, a string, a number or an interface of your own, and convert the value where you use it.`,
  },
} as const satisfies Record<string, CodeEntry>;
