import { unprovenHosts, type AcceptedHost, type Transport } from '@svc/core/transport';
import { rabbitMqTransport } from '@svc/rabbitmq';

export interface ChosenTransport {
  readonly transport: Transport | null;
  /** The hosts whose events this host accepts. */
  readonly acceptEventsFrom: readonly AcceptedHost[];
  /** The transport, without a password. For display. */
  readonly by: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * RabbitMQ if `AMQP_URL` is set; otherwise events stay on this host. Hosts that share a database share a `HOST_NAME`; hosts with
 * different databases have different names. `ACCEPT_EVENTS_FROM` lists the hosts whose events are accepted.
 */
export function chooseTransport(environment: Environment): ChosenTransport {
  const { AMQP_URL: url, HOST_NAME: hostName = 'orders' } = environment;
  const acceptEventsFrom = acceptedHosts(environment);
  if (url === undefined || url === '') {
    if (acceptEventsFrom.length > 0) throw new Error('ACCEPT_EVENTS_FROM and ACCEPT_UNPROVEN_HOSTS need AMQP_URL.');
    return { transport: null, acceptEventsFrom, by: 'none, events stay on this host' };
  }
  const names = acceptEventsFrom.map((host) => (host === unprovenHosts ? 'any client of the broker' : host));
  const accepts = names.length === 0 ? 'accepts no events' : `accepts events from ${names.join(', ')}`;
  const transport = rabbitMqTransport({ url, hostName, allowPlaintext: environment['ALLOW_PLAINTEXT'] === 'yes' });
  return { transport, acceptEventsFrom, by: `RabbitMQ at ${new URL(url).host}, as ${hostName}; ${accepts}` };
}

function acceptedHosts(environment: Environment): readonly AcceptedHost[] {
  const { ACCEPT_EVENTS_FROM: names = '', ACCEPT_UNPROVEN_HOSTS: unproven } = environment;
  const hosts: AcceptedHost[] = names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return unproven === 'yes' ? [...hosts, unprovenHosts] : hosts;
}
