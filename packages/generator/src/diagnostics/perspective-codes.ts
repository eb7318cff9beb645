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
      `The model of ${perspective} is ${model}, but a model must be an object. Declare an interface with a property of that type, and use it as the model.`,
  },
  SVC1603: {
    title: 'A perspective processes a class that is not an event',
    message: (perspective: string, event: string) =>
      `${perspective} processes ${event}, which is not an event class of this service. Let its class implement Event, exported from a module below the source root, or name the events that the perspective processes.`,
  },
  SVC1604: {
    title: 'A perspective processes no events',
    message: (perspective: string) =>
      `${perspective} does not declare which events it processes. Write implements Perspective<Model, EventA | EventB>, with the classes of the events.`,
  },
  SVC1605: {
    title: 'Two perspectives have the same name',
    message: (name: string, other: string) =>
      `${other} has another perspective called ${name}, but models are stored by the name of their perspective. Rename one of the classes.`,
  },
  SVC1606: {
    title: 'The model or events of a perspective cannot be determined',
    message: (perspective: string) =>
      `${perspective} inherits Perspective in a way that hides its model or events, or more than once. Write implements Perspective<Model, EventA | EventB> on ${perspective} itself, once and without type parameters.`,
  },
  SVC1607: {
    title: 'An indexed property cannot be sorted',
    message: (perspective: string, property: string) =>
      `${perspective} is indexed by ${property}, which is not a property of its model with a single scalar value (a string, number, boolean or date), or is called key. Name another property, or remove it.`,
  },
  SVC1608: {
    title: 'The indexed properties of a perspective cannot be determined',
    message: (perspective: string) =>
      `The indexed properties of ${perspective} are unknown to the generator. Write them as literals: indexed: ['status', 'placedAt'].`,
  },
} as const satisfies Record<string, CodeEntry>;
