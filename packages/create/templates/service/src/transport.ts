import { rabbitMqTransport } from '@svc/rabbitmq';

/** Carries events between hosts over RabbitMQ: `AMQP_URL`, or the broker of compose.yaml. */
export function transport(): ReturnType<typeof rabbitMqTransport> {
  const url = process.env['AMQP_URL'] ?? 'amqp://template-service:development@127.0.0.1:5672';
  return rabbitMqTransport({ url, hostName: 'template-service' });
}
