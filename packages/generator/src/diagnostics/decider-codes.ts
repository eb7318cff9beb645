import type { CodeEntry } from './code-table.js';

/** SVC18xx: deciders. */
export const deciderCodes = {
  SVC1801: {
    title: 'A decider is not exported',
    message: (decider: string) =>
      `${decider} is a decider but is not exported by its name, so it cannot be used. Write export class ${decider}.`,
  },
  SVC1802: {
    title: 'The state or events of a decider cannot be determined',
    message: (decider: string) =>
      `${decider} inherits Decider in a way that hides its state or events, or more than once. Write implements Decider<State, EventA | EventB> on ${decider} itself, once and without type parameters.`,
  },
  SVC1803: {
    title: 'A decider processes a class that is not an event',
    message: (decider: string, event: string) =>
      `${decider} processes ${event}, which is not an event class of this service. Let its class implement Event, exported from a module below the source root, or name the events that the decider processes.`,
  },
  SVC1804: {
    title: 'A decider processes no events',
    message: (decider: string) =>
      `${decider} does not declare which events it processes. Write implements Decider<State, EventA | EventB>, with the classes of the events.`,
  },
  SVC1805: {
    title: 'Two deciders have the same name',
    message: (name: string, other: string) =>
      `${other} has another decider called ${name}, but snapshots are stored by the name of their decider. Rename one of the classes.`,
  },
  SVC1806: {
    title: 'evolve does not handle an event of its decider',
    message: (decider: string, events: string) =>
      `${decider} declares ${events}, but its evolve does not handle it. Add a branch such as if (event instanceof ${events.split(', ')[0]!}), or remove the event from Decider<…>.`,
  },
  SVC1807: {
    title: 'A decider has constructor parameters',
    message: (decider: string) =>
      `The constructor of ${decider} has parameters, but the state of a stream must depend on its events only. Remove them, and use services in the receptor.`,
  },
  SVC1808: {
    title: 'The state of a decider with snapshots is not an object',
    message: (decider: string, state: string) =>
      `The state of ${decider} is ${state}, but a state with snapshots must be an object. Declare an interface with a property of that type, or remove @snapshot.`,
  },
  SVC1809: {
    title: 'snapshot is on a class that is not a decider',
    message: (target: string, fault: string) =>
      `snapshot is called on ${target}, which ${fault}. Put it on an exported class that implements Decider, in the module of the class.`,
  },
} as const satisfies Record<string, CodeEntry>;
