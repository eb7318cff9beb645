import type { DescribedDestination, TransportDescription, WantedTopic } from '@svc/core/transport';
import type { Settings } from './options.js';
import type { ExchangeType, Names } from './topology.js';

const bindingVersion = '0.3.0';
/** AMQP: the broker stores the message on disk. */
const persistent = 2;

/** The exchanges and routing keys of a host, in the words of AsyncAPI. */
export function describe(names: Names, { address }: Pick<Settings, 'address'>): TransportDescription {
  const vhost = decoded(address.vhost);
  const bindings = (exchange: string, type: ExchangeType): DescribedDestination['channelBindings'] => ({
    amqp: {
      is: 'routingKey',
      exchange: { name: exchange, type, durable: true, autoDelete: false, vhost },
      bindingVersion,
    },
  });
  return {
    topic: (topic) => ({
      ...routingKeys(topic),
      channelBindings: bindings(names.exchangeOf(topic.topic), 'topic'),
      publishBindings: { amqp: { deliveryMode: persistent, mandatory: false, bindingVersion } },
    }),
    inbox: (hostName) => ({
      address: hostName,
      channelBindings: bindings(names.inboxExchange, 'direct'),
      publishBindings: { amqp: { deliveryMode: persistent, mandatory: true, bindingVersion } },
    }),
  };
}

/** The routing key is the type: `orders.{event}` where all types have one namespace. */
function routingKeys({ types }: WantedTopic): Pick<DescribedDestination, 'address' | 'parameters'> {
  const namespaces = new Set(types.map((type) => type.slice(0, type.lastIndexOf('.') + 1)));
  const [namespace = ''] = namespaces;
  if (namespaces.size !== 1) return { address: '{type}', parameters: { type: types } };
  return { address: `${namespace}{event}`, parameters: { event: types.map((type) => type.slice(namespace.length)) } };
}

/** A virtual host that cannot be decoded fails when the transport connects. */
function decoded(vhost: string): string {
  try {
    return decodeURIComponent(vhost);
  } catch {
    return vhost;
  }
}
