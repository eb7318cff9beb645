import { AuditLevel } from '@svc/core';
import { auditPageBounds } from '@svc/core/hosting';
import type { JsonSchema, Operation, Parameter, Response, SchemaObject } from './openapi-types.js';

const id: SchemaObject = { type: 'string', format: 'uuid' };
const text: SchemaObject = { type: 'string' };
const optionalText: SchemaObject = { type: ['string', 'null'] };
const time: SchemaObject = { type: 'string', format: 'date-time' };
const level: SchemaObject = { type: 'string', enum: Object.keys(AuditLevel) };
const { usual, most } = auditPageBounds;

const parameters: readonly Parameter[] = [
  query('resource', id, 'Records about the events of this stream, and about access to it.'),
  query('tenant', text, 'Records of this tenant. Callers see those of their own tenant.'),
  query('user', text, 'What this user did.'),
  query('correlation', id, 'Records of one request, and of everything that it caused.'),
  query('message', id, 'Records about this event or command: its audit record, and its failures.'),
  query(
    'type',
    { type: 'array', items: text },
    'Types of events, commands or system events; repeat the parameter for each.',
  ),
  query('level', level, 'The lowest level. Records without a level count as Info.'),
  query('from', time, 'The earliest time.'),
  query('to', time, 'The time before which all records are.'),
  query('first', { type: 'string', enum: ['newest', 'oldest'], default: 'newest' }, 'The order.'),
  query('limit', { type: 'integer', minimum: 1, maximum: most, default: usual }, 'The size of the page.'),
  query('after', text, 'Continues a search: the next of an earlier page.'),
];

const entry: JsonSchema = {
  type: 'object',
  required: ['id', 'kind', 'type', 'at', 'roles', 'result', 'correlationId'],
  properties: {
    id,
    kind: { type: 'string', enum: ['event', 'command', 'denial', 'grant', 'failure', 'system'] },
    type: text,
    messageId: optionalText,
    streamId: optionalText,
    position: { type: ['integer', 'null'] },
    about: optionalText,
    resourceType: optionalText,
    resourceId: optionalText,
    at: time,
    userId: optionalText,
    userName: optionalText,
    tenantId: optionalText,
    homeTenantId: optionalText,
    roles: { type: 'array', items: text },
    level: { type: ['string', 'null'], enum: [...Object.keys(AuditLevel), null] },
    reason: optionalText,
    auditReason: optionalText,
    result: { type: 'string', enum: ['succeeded', 'denied', 'granted', 'failed'] },
    responseType: optionalText,
    correlationId: id,
    cause: {
      type: ['object', 'null'],
      required: ['id', 'kind', 'type'],
      properties: { id: text, kind: optionalText, type: optionalText },
    },
  },
};

/** The operation of the audit route. */
export function auditOperation(problemRef: string): Operation {
  const problem = (description: string): Response => ({
    description,
    content: { 'application/problem+json': { schema: { $ref: problemRef } } },
  });
  return {
    operationId: 'queryAudit',
    summary: 'Who did what, when and why',
    description: 'Records of events, commands, access and failures. The request itself is recorded as well.',
    parameters,
    responses: {
      '200': {
        description: 'A page of records. It can have fewer than requested although others follow.',
        content: { 'application/json': { schema: page } },
      },
      '400': problem('A parameter is unknown or invalid.'),
      '503': problem('The indexes of the audit are being built.'),
    },
  };
}

const page: JsonSchema = {
  type: 'object',
  required: ['entries', 'next'],
  properties: {
    entries: { type: 'array', items: entry },
    next: { ...optionalText, description: 'The after of the next page; null: there are no more records.' },
  },
};

function query(name: string, schema: SchemaObject, description: string): Parameter {
  return { name, in: 'query', description, schema };
}
