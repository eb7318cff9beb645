import type { Transport } from '@svc/core';
import { rabbitMqTransport } from '@svc/rabbitmq';

export interface ChosenTransport {
  readonly transport: Transport | null;
  /** What carries events, for people; without a password. */
  readonly by: string;
}

/**
 * RabbitMQ when there is a URL of one, otherwise events stay on this host. Hosts that share a database share a name, hosts with
 * databases of their own need names of their own.
 */
export function chooseTransport(url: string | undefined, hostName = 'orders', allowPlaintext = false): ChosenTransport {
  if (url === undefined || url === '') return { transport: null, by: 'none, events stay on this host' };
  const transport = rabbitMqTransport({ url, hostName, allowPlaintext });
  return { transport, by: `RabbitMQ at ${new URL(url).host}, as ${hostName}` };
}
