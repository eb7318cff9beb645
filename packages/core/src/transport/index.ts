export { InProcessTransport } from './in-process-transport.js';
export { outboxWorker, type Deliver } from './outbox-worker.js';
export { BackgroundWorker } from './background-worker.js';
export { PublishingEventStoreDecorator } from './publishing-event-store-decorator.js';
export { receiving } from './receiving.js';
export { systemStreamDelivery } from './system-stream-delivery.js';
export { transportDelivery } from './transport-delivery.js';
export type { ReceiveMessage, Subscription, Transport, TransportMessage } from './transport.js';
