/** Columns with small bodies. `withLargeBodies` and `withArchivedBodies` fetch what they leave out. */
import { SystemEventStream } from '@svc/core';
import { referenceBody, smallBodyBytes } from '@svc/core/storage';

/** A column, or null if its value is large, or empty because it is archived. */
export function unlessLarge(column: string): string {
  return `CASE WHEN octet_length(${column}) BETWEEN 1 AND ${smallBodyBytes} THEN ${column} END`;
}

/** Whether an event is an audit record that is stored by reference. */
export const isReference = `(event.body = '${referenceBody}' AND event.stream_id = '${SystemEventStream.streamId}')`;

/** The body of an event, or null if it is large or the event is an audit record that is stored by reference. */
export const smallBody = `
  CASE WHEN octet_length(event.body) BETWEEN 1 AND ${smallBodyBytes} AND NOT ${isReference} THEN event.body END`;
