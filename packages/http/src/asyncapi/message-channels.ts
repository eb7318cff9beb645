/** The messages between hosts as channels: published events, accepted events and accepted commands. */
import type { ServiceMessages } from '@svc/core/hosting';
import type { DescribedDestination, WantedTopic } from '@svc/core/transport';
import type { JsonSchema } from '../openapi/index.js';
import type { Channel, DescribedChannels, Message, Operation, Reference } from './asyncapi-types.js';
import { correlationId, headersOf, messageHeaders } from './message-headers.js';
import type { SharedSchemas } from './shared-schemas.js';

/** One address at the broker. Several topics can share it. */
interface Place {
  readonly id: string;
  readonly destination: DescribedDestination;
  readonly description: string;
  readonly published: readonly string[];
  readonly accepted: readonly string[];
}

export function messageChannels(exchanged: ServiceMessages, schemas: SharedSchemas): DescribedChannels {
  const places = [...eventPlaces(exchanged), ...commandPlaces(exchanged)];
  const types = new Set(places.flatMap(({ published, accepted }) => [...published, ...accepted]));
  if (types.size === 0) return { channels: {}, operations: {}, messages: {} };
  const headers = schemas.add('MessageHeaders', messageHeaders);
  return {
    channels: Object.fromEntries(places.map((place) => [place.id, channelOf(place)])),
    operations: Object.fromEntries(places.flatMap(operationsOf)),
    messages: Object.fromEntries(
      [...types].toSorted().map((type) => [type, messageOf(type, headers, exchanged, schemas)]),
    ),
  };
}

/** Topics by their address: on the Service Bus, several topics of svc are one topic of the broker. */
function eventPlaces({ transport, published, accepted }: ServiceMessages): readonly Place[] {
  const typesOf = (topics: readonly WantedTopic[], topic: string): readonly string[] =>
    topics.flatMap((one) => (one.topic === topic ? one.types : []));
  const places = new Map<string, Place>();
  for (const topic of new Set([...published, ...accepted].map((one) => one.topic))) {
    const [sent, received] = [typesOf(published, topic), typesOf(accepted, topic)];
    const destination = transport.topic({ topic, types: [...new Set([...sent, ...received])].toSorted() });
    const key = JSON.stringify([destination.address, destination.channelBindings]);
    const known = places.get(key);
    places.set(key, {
      id: known?.id ?? `events.${topic}`,
      destination,
      description:
        'Events of a stream have the order in which they were published. A message may arrive more than once.',
      published: [...(known?.published ?? []), ...sent],
      accepted: [...(known?.accepted ?? []), ...received],
    });
  }
  return [...places.values()];
}

function commandPlaces({ transport, hostName, commands }: ServiceMessages): readonly Place[] {
  if (hostName === null || commands.length === 0) return [];
  const description = 'The inbox of this service. Commands have no order. A message may arrive more than once.';
  return [
    {
      id: `commands.${hostName}`,
      destination: transport.inbox(hostName),
      description,
      published: [],
      accepted: commands,
    },
  ];
}

function channelOf({ destination, description, id, published, accepted }: Place): Channel {
  const { address, parameters, channelBindings } = destination;
  return {
    address,
    title: id,
    description,
    messages: Object.fromEntries(
      [...new Set([...published, ...accepted])]
        .toSorted()
        .map((type) => [type, reference(`components/messages/${type}`)]),
    ),
    ...(parameters !== undefined && {
      parameters: Object.fromEntries(Object.entries(parameters).map(([name, values]) => [name, { enum: values }])),
    }),
    bindings: channelBindings,
  };
}

function operationsOf({ id, destination, published, accepted }: Place): readonly [string, Operation][] {
  const operation = (action: Operation['action'], title: string, types: readonly string[]): Operation => ({
    action,
    channel: reference(`channels/${id}`),
    title: `${title} ${id}`,
    summary:
      action === 'send' ? 'What this service publishes.' : 'What this service accepts, from hosts that it trusts.',
    messages: types.toSorted().map((type) => reference(`channels/${id}/messages/${type}`)),
    ...(action === 'send' && destination.publishBindings !== undefined && { bindings: destination.publishBindings }),
  });
  return [
    ...(published.length === 0 ? [] : [[`publish.${id}`, operation('send', 'Publish', published)] as const]),
    ...(accepted.length === 0 ? [] : [[`receive.${id}`, operation('receive', 'Receive', accepted)] as const]),
  ] as [string, Operation][];
}

function messageOf(
  type: string,
  headers: JsonSchema,
  { schemas: sources, versionOf }: ServiceMessages,
  schemas: SharedSchemas,
): Message {
  const source = sources.find(({ messages = {} }) => Object.hasOwn(messages, type));
  const schema = (source?.messages as Readonly<Record<string, JsonSchema>> | undefined)?.[type];
  return {
    name: type,
    title: type.slice(type.lastIndexOf('.') + 1),
    summary: `Version ${versionOf(type)}.`,
    contentType: 'application/json',
    headers: headersOf(type, headers),
    // A registry that an earlier version of svc generated has no schemas of messages.
    payload: source === undefined || schema === undefined ? true : schemas.use(schema, source),
    correlationId,
  };
}

function reference(path: string): Reference {
  return { $ref: `#/${path}` };
}
