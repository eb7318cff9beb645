export { logInToRabbitMq } from './log-in.js';
export type { RabbitMqOptions } from './options.js';
export { rabbitMqTransport } from './rabbitmq-transport.js';
