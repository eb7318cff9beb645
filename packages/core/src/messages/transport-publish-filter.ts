import type { MessageClass } from './markers.js';

/** Decides what crosses the border between this host and the transport. */
export interface TransportPublishFilter {
  /** Asked when a message is appended or sent. Takes the message, or its class where only that is at hand: for system events. */
  shouldPublishToTransport(message: object | MessageClass): boolean;
  /** Asked once for each type, when the service starts. */
  shouldReceiveFromTransport(messageType: MessageClass): boolean;
}
