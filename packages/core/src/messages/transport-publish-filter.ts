import type { MessageClass } from './markers.js';

/** Decides what crosses the border between this host and the transport. */
export interface TransportPublishFilter {
  /** Takes a message, or its class where only that is at hand. */
  shouldPublishToTransport(message: object | MessageClass): boolean;
  shouldReceiveFromTransport(messageType: MessageClass): boolean;
}
