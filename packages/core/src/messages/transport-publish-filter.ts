import type { MessageClass } from './markers.js';

/** Decides which messages this host publishes to the transport and receives from it. */
export interface TransportPublishFilter {
  /** Called when a message is appended or sent, with the message; for system events with its class. */
  shouldPublishToTransport(message: object | MessageClass): boolean;
  /** Called once for each type when the service starts. */
  shouldReceiveFromTransport(messageType: MessageClass): boolean;
}
