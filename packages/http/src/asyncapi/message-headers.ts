/** The attributes of a CloudEvent as headers of a message, as `toCloudEvent` of core writes them. */
import type { JsonSchema } from '../openapi/index.js';

const id: JsonSchema = { type: 'string', format: 'uuid' };
const text: JsonSchema = { type: 'string' };

const required: Readonly<Record<string, JsonSchema>> = {
  specversion: { const: '1.0' },
  id: { ...id, description: 'The id of the message.' },
  source: { ...text, description: 'The host that published it.' },
  type: { ...text, description: 'The type of the message.' },
  time: { type: 'string', format: 'date-time' },
  subject: { ...id, description: 'The stream of the event; for a command, its own id.' },
  correlationid: { ...id, description: 'The same for everything that one request caused.' },
};

const optional: Readonly<Record<string, JsonSchema>> = {
  causationid: { ...id, description: 'The message that caused it.' },
  scope: { ...text, description: 'Who acts: JSON with the tenant, the user and others.' },
  metadata: { ...text, description: 'JSON; schemaVersion is the version of the event.' },
  traceparent: { ...text, description: 'W3C Trace Context.' },
  tracestate: { ...text, description: 'W3C Trace Context.' },
  signaturekey: { ...text, description: 'The key of the signature. Absent: the host does not sign.' },
  signature: text,
};

const prefix = 'cloudEvents_';

/** The headers of all messages. */
export const messageHeaders: JsonSchema = {
  type: 'object',
  description: 'A CloudEvent 1.0 in binary mode.',
  required: Object.keys(required).map((name) => prefix + name),
  properties: prefixed({ ...required, ...optional }),
};

/** The headers of the messages of one type. */
export function headersOf(type: string, all: JsonSchema): JsonSchema {
  return { allOf: [all, { type: 'object', properties: prefixed({ type: { const: type } }) }] } as JsonSchema;
}

/** Where the correlation id of a message is, as AsyncAPI says it. */
export const correlationId = { location: `$message.header#/${prefix}correlationid` };

function prefixed(attributes: Readonly<Record<string, JsonSchema>>): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(Object.entries(attributes).map(([name, schema]) => [prefix + name, schema]));
}
