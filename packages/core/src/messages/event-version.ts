import { ServiceError } from '../errors/index.js';
import { ClassNotes } from './class-notes.js';
import type { Event, MessageClass } from './markers.js';

/** The body of an event as it is kept: parsed JSON. */
export type EventBody = Readonly<Record<string, unknown>>;

/** Makes of a body of one version what the next version would have kept. It changes nothing but what it returns, and asks nobody. */
export type Upcaster = (body: EventBody) => EventBody;

/** From each earlier version to the next: `{ 1: (body) => …, 2: (body) => … }` for version 3. */
export type Upcasters = Readonly<Record<number, Upcaster>>;

/** Under this name an event's metadata have its version; an event of version 1 has none. */
export const schemaVersionKey = 'schemaVersion';

export interface EventVersion {
  readonly version: number;
  readonly upcasters: Upcasters;
}

const versions = new ClassNotes<EventVersion>();

/**
 * Says which version of its shape an event class declares, and how bodies of earlier versions become it when they are read. Works as a
 * decorator, and called on the class for tools that do not lower decorators. A version without a way to it is an error here, before
 * anything is read.
 *
 * @example
 * ```ts
 * @eventVersion(2, { 1: ({ name, ...rest }) => ({ ...rest, customer: { name } }) })
 * export class OrderPlaced implements Event {
 *   customer!: { name: string };
 * }
 * ```
 */
export function eventVersion(
  version: number,
  upcasters: Upcasters,
): (target: MessageClass<Event>, context?: ClassDecoratorContext) => void {
  return (target, context) => {
    requireEveryStep(target.name, version, upcasters);
    versions.add(target, { version, upcasters }, context);
  };
}

/** What was declared of a class; undefined: version 1. */
export function eventVersionOf(eventClass: object): EventVersion | undefined {
  return versions.of(eventClass);
}

function requireEveryStep(name: string, version: number, upcasters: Upcasters): void {
  if (!Number.isSafeInteger(version) || version < 2) {
    throw invalid(`${name} cannot have version ${version}: versions are whole numbers, and 1 needs no declaration.`);
  }
  for (let from = 1; from < version; from++) {
    if (typeof upcasters[from] === 'function') continue;
    throw invalid(
      `${name} has version ${version} and no upcaster from ${from} to ${from + 1}. Add it, and never take one away.`,
    );
  }
  const strange = Object.keys(upcasters).find((from) => !(Number(from) >= 1 && Number(from) < version));
  if (strange !== undefined)
    throw invalid(`${name} has version ${version} and an upcaster from ${strange}. Raise the version.`);
}

function invalid(message: string): ServiceError {
  return new ServiceError('SVC_EVENT_VERSION_INVALID', message);
}

/** The body as the version that this program knows would have it. */
export function upcast(type: string, body: unknown, stored: unknown, known: EventVersion | undefined): unknown {
  const current = known?.version ?? 1;
  if (!Number.isSafeInteger(stored) || (stored as number) < 1 || (stored as number) > current) {
    throw new ServiceError(
      'SVC_EVENT_VERSION_UNKNOWN',
      `An event of type ${type} has version ${String(stored)}, and this program knows versions up to ${current}. Run a program that knows it.`,
    );
  }
  let upcasted = body as EventBody;
  for (let from = stored as number; from < current; from++) {
    try {
      upcasted = known!.upcasters[from]!(upcasted);
    } catch (error) {
      throw new ServiceError(
        'SVC_UPCAST_FAILED',
        `An event of type ${type} cannot be brought from version ${from} to ${from + 1}. Its upcaster has to take every body that was ever kept.`,
        { cause: error },
      );
    }
  }
  return upcasted;
}
