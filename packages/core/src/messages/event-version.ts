import { ServiceError } from '../errors/index.js';
import { ClassNotes } from './class-notes.js';
import type { Event, MessageClass } from './markers.js';

/** The stored body of an event, as parsed JSON. */
export type EventBody = Readonly<Record<string, unknown>>;

/** Converts the body of an event from one version to the next. It must be a pure function. */
export type Upcaster = (body: EventBody) => EventBody;

/** One upcaster from each earlier version to the next: `{ 1: (body) => …, 2: (body) => … }` for version 3. */
export type Upcasters = Readonly<Record<number, Upcaster>>;

/** The code of the error of a program that is too old for an event. A newer one reads it. */
export const unknownVersion = 'SVC_EVENT_VERSION_UNKNOWN';

/** The metadata key of an event's version. Events of version 1 do not have it. */
export const schemaVersionKey = 'schemaVersion';

export interface EventVersion {
  readonly version: number;
  readonly upcasters: Upcasters;
}

const versions = new ClassNotes<EventVersion>();

/**
 * Declares the version of an event class, and how stored events of earlier versions are upcast when they are read. Throws if an upcaster is
 * missing. Tools that do not lower decorators can call it on the class.
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

/** The declared version of a class; undefined for version 1. */
export function eventVersionOf(eventClass: object): EventVersion | undefined {
  return versions.of(eventClass);
}

function requireEveryStep(name: string, version: number, upcasters: Upcasters): void {
  if (!Number.isSafeInteger(version) || version < 2) {
    throw invalid(
      `${name} cannot have version ${version}. Use a whole number above 1; version 1 needs no declaration.`,
    );
  }
  for (let from = 1; from < version; from++) {
    if (typeof upcasters[from] === 'function') continue;
    throw invalid(
      `${name} has version ${version}, but no upcaster from ${from} to ${from + 1}. Add it, and never remove one.`,
    );
  }
  const unexpected = Object.keys(upcasters).find((from) => !(Number(from) >= 1 && Number(from) < version));
  if (unexpected !== undefined)
    throw invalid(`${name} has version ${version}, but an upcaster from ${unexpected}. Raise the version.`);
}

function invalid(message: string): ServiceError {
  return new ServiceError('SVC_EVENT_VERSION_INVALID', message);
}

/** Converts a body from its stored version to the version of this program. */
export function upcast(type: string, body: unknown, stored: unknown, known: EventVersion | undefined): unknown {
  const current = known?.version ?? 1;
  if (!Number.isSafeInteger(stored) || (stored as number) < 1 || (stored as number) > current) {
    throw new ServiceError(
      unknownVersion,
      `Cannot read an event of type ${type}: it has version ${String(stored)}, but this program knows versions up to ${current}. Run a newer version of the service.`,
    );
  }
  let upcasted = body as EventBody;
  for (let from = stored as number; from < current; from++) {
    try {
      upcasted = known!.upcasters[from]!(upcasted);
    } catch (error) {
      throw new ServiceError(
        'SVC_UPCAST_FAILED',
        `Cannot upcast an event of type ${type} from version ${from} to ${from + 1}. Fix the upcaster: it must accept every stored body.`,
        { cause: error },
      );
    }
  }
  return upcasted;
}
