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
      `${name} is ${kind} with type parameters, but a message has one shape. Make it abstract and extend it with a class for each type argument.`,
  },
  SVC1303: {
    title: 'Two messages have the same name',
    message: (name: string, other: string) =>
      `${other} has another message called ${name}, but messages are stored and sent by name. Rename one of the classes.`,
  },
  SVC1304: {
    title: 'A message class has no declared name',
    message: (kind: string) =>
      `This class expression is ${kind}, but a message needs a declared class. Write export class Name implements ….`,
  },
  SVC1305: {
    title: 'Two commands need the same generated file',
    message: (name: string, other: string, file: string) =>
      `The endpoints of ${name} and ${other} would both be written to ${file}. Rename one of the classes, or move it to another folder.`,
  },
  SVC1306: {
    title: 'A class is both a command and an event',
    message: (name: string) =>
      `${name} implements both Command and Event, but a message is either a request or a fact. Remove one of them, and declare a second class for the other.`,
  },
  SVC1307: {
    title: 'A class implements an interface that cannot be found',
    message: (name: string, marker: string) =>
      `${name} implements ${marker}, which cannot be found, so svc ignores the class. Import ${marker} from @svc/core.`,
  },
  SVC1308: {
    title: 'lenient is called on a class of another module',
    message: (target: string) =>
      `lenient is called on ${target}, which is not a class of this module, so it has no effect. Write @lenient above the class.`,
  },
  SVC1309: {
    title: 'storedAs has no effect',
    message: (target: string, fault: string) =>
      `storedAs is called on ${target}, which ${fault}, so it has no effect. Write @storedAs above the class of a command or an event.`,
  },
  SVC1310: {
    title: 'The stored type of a message cannot be used',
    message: (name: string, written: string, fault: string) =>
      `${name} has the stored type ${written}, but ${fault}. Write the type as a literal, such as 'orders.OrderSent'.`,
  },
  SVC1311: {
    title: 'Two messages have the same stored type',
    message: (name: string, other: string, type: string) =>
      `${name} and ${other} are both stored as ${type}. Remove one of the classes, or give one of them another type with storedAs.`,
  },
} as const satisfies Record<string, CodeEntry>;
