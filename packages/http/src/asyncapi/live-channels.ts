/** Live queries as channels: the events of `GET <route>/live` and `GET <route>/<id>/live`. */
import type { PerspectiveQuery } from '@svc/core/hosting';
import {
  indexedText,
  liveListParameters,
  liveModelParameters,
  type JsonSchema,
  type Parameter,
} from '../openapi/index.js';
import type { Channel, DescribedChannels, Message, Operation, Reference } from './asyncapi-types.js';
import { draft07 } from './draft-07.js';
import type { GeneratedSchemas, SharedSchemas } from './shared-schemas.js';

const bindingVersion = '0.3.0';

/** The channels of all perspectives with a route. `securityOf` names the schemes by which callers of a route authenticate. */
export function liveChannels(
  queries: readonly PerspectiveQuery[],
  prefix: string,
  generated: GeneratedSchemas,
  schemas: SharedSchemas,
  securityOf: (query: PerspectiveQuery) => Pick<Operation, 'security'>,
): DescribedChannels {
  const served = queries.filter(({ access }) => access.route !== null);
  const models = (generated.models ?? {}) as Readonly<Record<string, JsonSchema>>;
  const described = served.map((query) => {
    const model = schemas.use(models[query.name] ?? true, generated);
    return ofPerspective(query, prefix + query.access.route!, model, securityOf(query));
  });
  return {
    channels: Object.assign({}, ...described.map(({ channels }) => channels)) as DescribedChannels['channels'],
    operations: Object.assign({}, ...described.map(({ operations }) => operations)) as DescribedChannels['operations'],
    messages: Object.assign(
      served.length === 0 ? {} : { 'live.remove': removed, 'live.keys': keys, 'live.reset': reset },
      ...described.map(({ messages }) => messages),
    ) as DescribedChannels['messages'],
  };
}

function ofPerspective(
  { name, columns }: PerspectiveQuery,
  route: string,
  model: JsonSchema,
  security: Pick<Operation, 'security'>,
): DescribedChannels {
  const messages = {
    page: reference(`components/messages/live.${name}.page`),
    upsert: reference(`components/messages/live.${name}.upsert`),
    remove: reference('components/messages/live.remove'),
    keys: reference('components/messages/live.keys'),
    reset: reference('components/messages/live.reset'),
  };
  const channel = (address: string, title: string): Channel => ({ address, title, description: about, messages });
  const operation = (id: string, title: string, parameters: readonly Parameter[]): Operation => ({
    action: 'send',
    channel: reference(`channels/${id}`),
    title,
    summary: 'The current models, then every change, as server-sent events.',
    description: requests,
    ...security,
    messages: Object.keys(messages).map((key) => reference(`channels/${id}/messages/${key}`)),
    bindings: { http: { method: 'GET', query: querySchema(parameters), bindingVersion } },
  });
  const [list, one] = [`live.${name}`, `live.${name}.one`];
  return {
    channels: {
      [list]: channel(`${route}/live`, `The first page of ${name}`),
      [one]: {
        ...channel(`${route}/{id}/live`, `One of ${name}`),
        parameters: { id: { description: 'The key of the model.' } },
      },
    },
    operations: {
      [`watch${name}`]: operation(list, `Watch the first page of ${name}`, liveListParameters(columns)),
      [`watchOne${name}`]: operation(one, `Watch one of ${name}`, liveModelParameters),
    },
    messages: {
      [`live.${name}.page`]: event('page', 'All models, in their order. They replace those that the client has.', {
        models: { type: 'array', items: object({ key, model }) },
      }),
      [`live.${name}.upsert`]: event('upsert', 'A model that is new or has changed, and its place in the order.', {
        key,
        after: {
          anyOf: [key, { type: 'null' }],
          description: 'The key of the model before it; null: it is the first.',
        },
        model,
      }),
    },
  };
}

const about = 'Server-sent events over HTTP. The data of an event are JSON; headers are its fields id and event.';
const requests =
  'The request header Last-Event-ID continues after the event with this id. Prefer: wait=<seconds> limits how long afterEvent is waited for.';

const key = indexedText;
const removed = event('remove', 'A model that was deleted, or is no longer in the list.', { key });
const keys = event('keys', 'After a reconnect: the keys of all models. The client removes the others.', {
  keys: { type: 'array', items: key },
});
const reset = event('reset', 'After a reconnect: the place of the client is not known any more. A page follows.', {});

function event(name: string, summary: string, data: Readonly<Record<string, JsonSchema>>): Message {
  const id: JsonSchema = {
    type: 'string',
    description: 'The place of the client. It sends the last one as Last-Event-ID. Absent: it stays at its place.',
  };
  return {
    name,
    title: name,
    summary,
    contentType: 'application/json',
    headers: {
      type: 'object',
      required: ['event'],
      properties: { event: { const: name }, id },
    },
    payload: object(data),
    bindings: {
      http: {
        headers: { type: 'object', properties: { 'content-type': { const: 'text/event-stream; charset=utf-8' } } },
        statusCode: 200,
        bindingVersion,
      },
    },
  };
}

function object(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties, additionalProperties: false };
}

function querySchema(parameters: readonly Parameter[]): JsonSchema {
  const entries = parameters.map(({ name, description, schema }): [string, JsonSchema] => {
    const converted = draft07(schema, (name_) => name_);
    return [
      name,
      typeof converted === 'boolean' || description === undefined ? converted : { ...converted, description },
    ];
  });
  return { type: 'object', properties: Object.fromEntries(entries), additionalProperties: false };
}

function reference(path: string): Reference {
  return { $ref: `#/${path}` };
}
