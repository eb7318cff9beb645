export { serviceBusTransport } from './service-bus-transport.js';
export type { ServiceBusCredentials, ServiceBusOptions, ServiceBusSettings } from './options.js';
