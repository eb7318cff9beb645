/** Pages of the log as bytes, to digest them. */
import { SystemEventStream } from '@svc/core';
import { EventBytes, EventId, EventText, referenceBody, smallBodyBytes, type LogPage } from '@svc/core/storage';
import { ahead, pageOf, readAll, recordPages, type Cursor, type ReadableLog, type ReadPage } from './all-events.js';
import { millisecondsOf } from './rows.js';

/** Reads each page while the previous one is digested. A page with an event that is large, archived or stored by reference has records. */
export function readLogPages(log: ReadableLog, afterSequence: number, size: number): AsyncIterable<LogPage> {
  const readRecords = recordPages(log, size);
  const readPage: ReadPage<LogPage> = async (cursor, gate) => {
    const bytes = await readBytes(log, cursor, gate, size);
    if (bytes !== null) {
      const { count, sequences, transactions } = bytes;
      if (count === 0) return null;
      const end = { transactionId: String(transactions![count - 1]), sequence: String(sequences[count - 1]) };
      return { items: [{ bytes }], end, isLast: count < size };
    }
    const page = await readRecords(cursor, gate);
    return page && { ...page, items: Array.from(page.items, (records) => ({ records })) };
  };
  return readAll(log, afterSequence, (cursor, gate) => ahead(readPage, cursor, gate));
}

/** Null: one of the events is not small, or is not stored completely. */
async function readBytes(
  { reader }: ReadableLog,
  { transactionId, sequence }: Cursor,
  gate: string,
  size: number,
): Promise<EventBytes | null> {
  let page = new EventBytes(size, { transactions: true });
  let isComplete = true;
  const onRow = (row: Buffer): void => {
    isComplete &&= addRow(page, row);
  };
  const begin = (): void => {
    page = new EventBytes(size, { transactions: true });
    isComplete = true;
  };
  // COPY has no parameters. All values are numbers.
  const values = [transactionId, sequence, gate].map((number) => `'${BigInt(number)}'`);
  const condition = pageOf(values[0]!, values[1]!, String(size), values[2]!);
  await reader.copy(
    `COPY (SELECT ${columns} FROM svc_events event WHERE ${condition}) TO STDOUT (FORMAT binary)`,
    begin,
    onRow,
  );
  return isComplete ? page : null;
}

/** Empty if the event is not stored completely, or large: see `unlessLarge`. The type of no body is `json` with this value. */
const plainBody = `
  CASE WHEN pg_column_size(body) <= ${smallBodyBytes} AND pg_column_compression(body) IS NULL AND archive IS NULL
    AND NOT (stream_id = '${SystemEventStream.streamId}' AND body::text = '${referenceBody}') THEN body END`;

const columns = `sequence, transaction_id, position, ${millisecondsOf('timestamp')}, id, stream_id, correlation_id, causation_id,
  ${plainBody}, scope, metadata, type`;

const ids = [EventId.Id, EventId.Stream, EventId.Correlation, EventId.Causation];
const texts = [EventText.Body, EventText.Scope, EventText.Metadata, EventText.Type];
const lengthBytes = 4;
const numberBytes = 8;
const uuidBytes = 16;

/** Adds a row of `COPY`. False: it has no body. */
function addRow(page: EventBytes, row: Buffer): boolean {
  const numbersAt = 2 + lengthBytes;
  const next = lengthBytes + numberBytes;
  const index = page.begin(
    numberAt(row, numbersAt),
    numberAt(row, numbersAt + next),
    numberAt(row, numbersAt + 2 * next),
    numberAt(row, numbersAt + 3 * next),
  );
  let at = 2 + 4 * next;
  for (const id of ids) {
    const length = row.readInt32BE(at);
    at += lengthBytes;
    if (length < 0) continue;
    row.copy(page.ids, page.placeOfId(index, id), at, at + uuidBytes);
    if (id === EventId.Causation) page.setHasCause(index);
    at += uuidBytes;
  }
  const first = at;
  const start = page.append(row.subarray(first)) - first;
  for (const text of texts) {
    const length = row.readInt32BE(at);
    at += lengthBytes;
    if (length < 0 && text === EventText.Body) return false;
    page.setText(index, text, start + at, start + at + Math.max(0, length));
    at += Math.max(0, length);
  }
  return true;
}

/** A number of 8 bytes. */
function numberAt(row: Buffer, at: number): number {
  return row.readInt32BE(at) * 2 ** 32 + row.readUInt32BE(at + 4);
}
