import type { CodeEntry } from './code-table.js';

/** SVC13xx: commands and events as classes. */
export const messageCodes = {
  SVC1301: {
    title: 'A message class is not exported by its name',
    message: (name: string, kind: string) =>
      `${name} is ${kind} but is not exported by its name, so no code can be generated for it. Write export class ${name} at the top level of its module (not export default).`,
  },
  SVC1302: {
    title: 'A message class is generic',
    message: (name: string, kind: string) =>
      `${name} is ${kind} with type parameters, and a message has one shape. Make it abstract and extend it with a class for each type argument.`,
  },
  SVC1303: {
    title: 'Two messages have one name',
    message: (name: string, other: string) =>
      `There is another message called ${name}, in ${other}, and messages are stored and sent under their names. Rename one of the classes.`,
  },
  SVC1304: {
    title: 'A message class has no name of its own',
    message: (kind: string) =>
      `This class expression is ${kind}, and a message needs a declared class. Write export class Name implements ….`,
  },
  SVC1305: {
    title: 'Two commands need one generated file',
    message: (name: string, other: string, file: string) =>
      `The endpoints of ${name} and ${other} would both be written to ${file}. Rename one of the classes, or move it to another folder.`,
  },
  SVC1306: {
    title: 'A class is both a command and an event',
    message: (name: string) =>
      `${name} implements both Command and Event, and a message is either a wish or a fact. Keep one of them, and make a second class for the other.`,
  },
  SVC1307: {
    title: 'A class implements something that cannot be found',
    message: (name: string, marker: string) =>
      `${name} implements ${marker}, which cannot be found, so it is taken for nothing of ours. Import ${marker} from @svc/core.`,
  },
} as const satisfies Record<string, CodeEntry>;
