import type { CodeEntry } from './code-table.js';

/** SVC21xx: processes. */
export const processCodes = {
  SVC2101: {
    title: 'A process is not exported',
    message: (process: string) =>
      `${process} is a process but is not exported by its name, so it cannot be used. Write export class ${process}.`,
  },
  SVC2102: {
    title: 'A process handles a class that is not an event',
    message: (process: string, event: string) =>
      `${process} handles ${event}, which is not an event class of this service. Let its class implement Event, exported from a module below the source root, or name the events that the process handles.`,
  },
  SVC2103: {
    title: 'A process handles no events',
    message: (process: string) =>
      `${process} does not declare which events it handles. Write implements Process<State, EventA | EventB>, with the classes of the events.`,
  },
  SVC2104: {
    title: 'A process has the name of another process or of a reaction',
    message: (name: string, other: string) =>
      `${other} has another process or reaction with the name ${name}, but their progress is stored by name. Rename one of them.`,
  },
  SVC2105: {
    title: 'The state or events of a process cannot be determined',
    message: (process: string) =>
      `${process} inherits Process in a way that hides its state or events, or more than once. Write implements Process<State, EventA | EventB> on ${process} itself, once and without type parameters.`,
  },
  SVC2106: {
    title: 'The decorator @process is on a class that is not a process',
    message: (target: string, why: string) =>
      `@process has no effect on ${target}, which ${why}. Put it on a class that implements Process<…>, in the module of the class.`,
  },
} as const satisfies Record<string, CodeEntry>;
