import type { CodeEntry } from './code-table.js';

/** SVC14xx: the project as a whole. */
export const projectCodes = {
  SVC1401: {
    title: 'The tsconfig cannot be read',
    message: (file: string, reason: string) =>
      `${file} cannot be read (${reason}). Create it, or name the right one in package.json: "svc": { "tsconfig": "…" }.`,
  },
  SVC1402: {
    title: 'The settings in package.json are invalid',
    message: (reason: string) => `${reason} Fix package.json.`,
  },
  SVC1403: {
    title: 'The tsconfig has an error',
    message: (file: string, reason: string) => `${file} has an error: ${reason} Fix it and run again.`,
  },
  SVC1404: {
    title: 'A source file has a syntax error',
    message: (reason: string) => `Syntax error: ${reason} Fix it first; the code around it may have been misread.`,
  },
  SVC1405: {
    title: '@svc/core cannot be found',
    message: (directory: string) =>
      `@svc/core cannot be found from ${directory}. Run npm install @svc/core. If it is part of the same workspace, build it.`,
  },
  SVC1406: {
    title: 'A compiler option breaks decorators',
    message: (setting: string, effect: string, fix: string) => `${setting} ${effect}. ${fix}.`,
  },
  SVC1407: {
    title: 'The client would replace a file of yours',
    message: (file: string) =>
      `${file} exists, and svc generate did not write it. Move the file, or choose another folder for the client.`,
  },
} as const satisfies Record<string, CodeEntry>;
