import { ServiceError } from '../errors/index.js';
import { ClassNotes } from './class-notes.js';
import type { MessageClass } from './markers.js';

const types = new ClassNotes<string>();

/** A namespace and a name: `orders.OrderShipped`. */
const shape = /^[A-Za-z][A-Za-z0-9]*(?:[.-][A-Za-z0-9]+)*\.[A-Za-z_]\w*$/;
const longest = 250;

/**
 * Sets the type under which messages of a class are stored and sent. Default: the namespace of the service and the name of the class. With it, a class,
 * or the service, can be renamed: the class still reads what is stored, and other hosts still know its messages.
 *
 * @example
 * ```ts
 * @storedAs('orders.OrderSent')
 * export class OrderShipped implements Event {}
 * ```
 */
export function storedAs(type: string): (target: MessageClass, context?: ClassDecoratorContext) => void {
  if (type.length > longest || !shape.test(type)) {
    throw new ServiceError(
      'SVC_INVALID_VALUE',
      `${JSON.stringify(type.slice(0, 200))} is not the type of a message. Use the form namespace.Name, such as orders.OrderShipped.`,
    );
  }
  return (target, context) => types.add(target, type, context);
}

/** The type that `storedAs` has set for a class; undefined: none. */
export function storedTypeOf(messageClass: MessageClass): string | undefined {
  return types.of(messageClass);
}
