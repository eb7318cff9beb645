import type { MessageRecord } from '../event-record.js';

/** A message as plain data: some are written, and know what they are, only when somebody asks. */
export function plainMessage(message: MessageRecord): MessageRecord {
  const { id, type, body, timestamp, correlationId, causationId, scope, metadata } = message;
  return { id, type, body, timestamp, correlationId, causationId, scope, metadata };
}
