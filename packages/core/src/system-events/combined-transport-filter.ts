import type { MessageClass, TransportPublishFilter } from '../messages/index.js';

/**
 * The filter of the service, and behind it those of the application: a message passes when all of them say so (decision 0079). Anything but
 * `true`, such as the promise of an asynchronous filter, is a refusal.
 */
export class CombinedTransportFilter implements TransportPublishFilter {
  readonly #filters: readonly TransportPublishFilter[];

  constructor(...filters: readonly TransportPublishFilter[]) {
    this.#filters = filters;
  }

  shouldPublishToTransport(message: object | MessageClass): boolean {
    return this.#filters.every((filter) => (filter.shouldPublishToTransport(message) as unknown) === true);
  }

  shouldReceiveFromTransport(messageType: MessageClass): boolean {
    return this.#filters.every((filter) => (filter.shouldReceiveFromTransport(messageType) as unknown) === true);
  }
}
