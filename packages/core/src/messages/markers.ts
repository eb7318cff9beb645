/** Marks a class as a command: a request that exactly one receptor handles. */
// oxlint-disable-next-line typescript/no-empty-object-type -- a marker has no members; the generator looks for its name
export interface Command {}

/** Marks a class as an event: a fact that has happened. */
// oxlint-disable-next-line typescript/no-empty-object-type -- a marker, as above
export interface Event {}

/** Marks a class as a system event: a record of the service itself, separate from domain events. */
// oxlint-disable-next-line typescript/no-empty-object-type -- a marker, as above
export interface SystemEvent extends Event {}

/** The class of a message. */
// oxlint-disable-next-line typescript/no-explicit-any -- the constructor's parameters are the user's own
export type MessageClass<T extends object = object> = new (...args: any[]) => T;

declare const resultType: unique symbol;

/**
 * A command whose result is `TResult`. The generated registry adds this to every command class, so that `dispatcher.invoke(command)` infers
 * the result. It does not exist at run time.
 */
export interface CommandReturning<TResult> extends Command {
  readonly [resultType]?: TResult;
}

declare const domainEvent: unique symbol;

/**
 * An event of the application's domain. The generated registry adds this to every event class that is not a system event, so that the
 * compiler rejects it where a system event is required. It does not exist at run time.
 */
export interface DomainEvent extends Event {
  readonly [domainEvent]?: true;
}

/** Accepts system events only: the compiler rejects domain events and commands of the generated registry. */
export type OnlySystemEvent<T> =
  Extract<keyof T, typeof domainEvent | typeof resultType> extends never
    ? T
    : 'Only system events can be emitted. Append domain events to a stream.';

/** The result type of a command; `unknown` for a command that is not in the generated registry. */
export type ResultOf<TCommand> = TCommand extends CommandReturning<infer TResult> ? TResult : unknown;

/** The fields of a message class, without its methods. */
export type FieldsOf<T> = { [K in keyof T as K extends string ? (T[K] extends Method ? never : K) : never]: T[K] };

type Method = (...args: never[]) => unknown;

/** Creates a message from its fields: `messageOf(OrderCancelled, { orderId, reason })`. Its class must have no constructor parameters. */
export function messageOf<T extends object>(type: new () => T, fields: FieldsOf<T>): T {
  return Object.assign(new type(), fields);
}
