/** Marks a class as a command: something a caller wants done, by exactly one receptor. */
// oxlint-disable-next-line typescript/no-empty-object-type -- a marker has no members; the generator looks for the word itself
export interface Command {}

/** Marks a class as an event: something that has happened. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface Event {}

/** Marks an event of the service itself, kept apart from domain events. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface SystemEvent extends Event {}

/** The class of a message, as a key and to make one. */
// oxlint-disable-next-line typescript/no-explicit-any -- the constructor's parameters are the user's own
export type MessageClass<T extends object = object> = new (...args: any[]) => T;

declare const resultType: unique symbol;

/**
 * A command that answers with `TResult`. The generated registry adds this to every command class it knows, so that
 * `dispatcher.invoke(command)` infers its result; nothing of it exists at run time.
 */
export interface CommandReturning<TResult> extends Command {
  readonly [resultType]?: TResult;
}

declare const domainEvent: unique symbol;

/**
 * An event of the application's domain. The generated registry adds this to every event class it knows that is no system event, so that the
 * compiler rejects it where a system event is needed; nothing of it exists at run time.
 */
export interface DomainEvent extends Event {
  readonly [domainEvent]?: true;
}

/** A message where a system event is needed. Domain events and commands that the generated registry knows do not fit. */
export type OnlySystemEvent<T> =
  Extract<keyof T, typeof domainEvent | typeof resultType> extends never
    ? T
    : 'Only system events can be emitted. Append domain events to a stream.';

/** What a command answers with; `unknown` for one that the generated registry does not know. */
export type ResultOf<TCommand> = TCommand extends CommandReturning<infer TResult> ? TResult : unknown;

/** The fields of a message, without its methods. */
export type FieldsOf<T> = { [K in keyof T as K extends string ? (T[K] extends Method ? never : K) : never]: T[K] };

type Method = (...args: never[]) => unknown;

/** Makes a message of a class without constructor parameters from its fields: `messageOf(OrderCancelled, { orderId, reason })`. */
export function messageOf<T extends object>(type: new () => T, fields: FieldsOf<T>): T {
  return Object.assign(new type(), fields);
}
