import type { MessageClass } from './markers.js';

/**
 * Ignores unknown properties of a request type, a command or a class inside of them, instead of rejecting the request: for requests whose sender adds
 * properties over time, such as the webhook of a payment provider. Known properties are validated as always. Object types that are written inside of
 * the class are lenient too; other classes need their own `@lenient`. The generator reads it. Use it as a decorator, or call it with the class.
 *
 * @example
 * ```ts
 * @lenient
 * export class PaymentNotice {
 *   orderId!: Uuid;
 * }
 * ```
 */
export function lenient(_target: MessageClass, _context?: ClassDecoratorContext): void {}
