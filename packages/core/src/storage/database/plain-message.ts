import type { MessageRecord } from '../event-record.js';

/** A message as plain data, because some records write their JSON only when they are read. */
export function plainMessage(message: MessageRecord): MessageRecord {
  const { id, type, body, timestamp, correlationId, causationId, scope, metadata } = message;
  return { id, type, body, timestamp, correlationId, causationId, scope, metadata };
}
