import type { CodeEntry } from './code-table.js';

/** SVC19xx: reactions. */
export const reactionCodes = {
  SVC1901: {
    title: 'A reaction is not exported',
    message: (reaction: string) =>
      `${reaction} is a reaction but is not exported by its name, so it cannot be used. Write export class ${reaction}.`,
  },
  SVC1902: {
    title: 'A reaction processes a class that is not an event',
    message: (reaction: string, event: string) =>
      `${reaction} processes ${event}, which is not an event class of this service. Let its class implement Event, exported from a module below the source root, or name the events that the reaction processes.`,
  },
  SVC1903: {
    title: 'A reaction processes no events',
    message: (reaction: string) =>
      `${reaction} does not declare which events it processes. Write implements Reaction<EventA | EventB>, with the classes of the events.`,
  },
  SVC1904: {
    title: 'Two reactions have the same name',
    message: (name: string, other: string) =>
      `${other} has another reaction with the name ${name}, but the progress of a reaction is stored by its name. Rename one of them.`,
  },
  SVC1905: {
    title: 'The events of a reaction cannot be determined',
    message: (reaction: string) =>
      `${reaction} inherits Reaction in a way that hides its events, or more than once. Write implements Reaction<EventA | EventB> on ${reaction} itself, once and without type parameters.`,
  },
  SVC1906: {
    title: 'The decorator @reaction is on a class that is not a reaction',
    message: (target: string, why: string) =>
      `@reaction has no effect on ${target}, which ${why}. Put it on a class that implements Reaction<…>, in the module of the class.`,
  },
} as const satisfies Record<string, CodeEntry>;
