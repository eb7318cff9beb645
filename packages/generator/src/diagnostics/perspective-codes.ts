import type { CodeEntry } from './code-table.js';

/** SVC16xx: perspectives. */
export const perspectiveCodes = {
  SVC1601: {
    title: 'A perspective is not exported',
    message: (perspective: string) =>
      `${perspective} is a perspective but is not exported by its name, so it cannot be used. Write export class ${perspective}.`,
  },
  SVC1602: {
    title: 'The model of a perspective is not an object',
    message: (perspective: string, model: string) =>
      `${perspective} makes ${model}, and a model is an object: what is read has names. Put it into a property of an interface, and name that.`,
  },
  SVC1603: {
    title: 'A perspective takes something that is not an event',
    message: (perspective: string, event: string) =>
      `${perspective} takes ${event}, which is not an event class of this service. Let its class implement Event, exported from a module below the source root, or name the events it is made of.`,
  },
  SVC1604: {
    title: 'A perspective takes no events',
    message: (perspective: string) =>
      `${perspective} does not say which events it takes. Write implements Perspective<Model, EventA | EventB>, with the classes of the events.`,
  },
  SVC1605: {
    title: 'Two perspectives have one name',
    message: (name: string, other: string) =>
      `There is another perspective called ${name}, in ${other}, and models are kept under the names of their perspectives. Rename one of the classes.`,
  },
  SVC1606: {
    title: 'It is not clear what a perspective is made of',
    message: (perspective: string) =>
      `${perspective} gets Perspective in a way that hides its model or events, or more than once. Write implements Perspective<Model, EventA | EventB> on ${perspective} itself, once and without type parameters.`,
  },
  SVC1607: {
    title: 'An indexed property cannot be ordered',
    message: (perspective: string, property: string) =>
      `${perspective} is to be indexed by ${property}, which is not a property of its model with one plain value (a text, number, boolean or date), or is called key. Name another one, or leave it out.`,
  },
  SVC1608: {
    title: 'It is not clear what a perspective is indexed by',
    message: (perspective: string) =>
      `The indexed properties of ${perspective} cannot be read. Write them out: indexed: ['status', 'placedAt'].`,
  },
} as const satisfies Record<string, CodeEntry>;
