import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '@svc/core';
import { mostPageBytes, type ArchivedBodies, type ReplayPage, type StoredRecord } from '@svc/core/storage';
import { joinOriginal, joinWantedOriginal, originalJson, originalOr } from './audit-references.js';
import { largeEventBodies, withLargeBodies } from './large-bodies.js';
import { openGate, type Gate, type ReadingGate } from './reading-gate.js';
import { findReadingStall } from './reading-stall.js';
import type { Reader } from './reader.js';
import { endOfPage, parsedEventText, parsedPages, withArchivedBodies, type ParsedPage } from './parsed-page.js';
import { idOfPacked, packedEventColumns, toRecordOfPacked } from './rows.js';
import type { Row } from './row.js';
import { readableBefore } from './transaction-ids.js';
import type { Settings } from './options.js';

const firstPauseMs = 2;
const longestPauseMs = 100;

/** The log of a database, and how it is read. */
export interface ReadableLog {
  readonly reader: Reader;
  readonly archived: ArchivedBodies;
  readonly readingGate: ReadingGate;
  readonly settings: Settings;
}

/** A part of the log that was read at once, and where it ends. */
export interface Page<T> {
  /** Parsed lazily. */
  readonly items: Iterable<T>;
  readonly end: Cursor;
  /** Whether no event follows it. */
  readonly isLast: boolean;
}

export type ReadPage<T> = (cursor: Cursor, gate: string) => Promise<Page<T> | null>;

/**
 * All events after a place, in pages. Transactions do not commit in the order in which they get sequence numbers. So events are read in the
 * order of their transactions, and only if no earlier transaction can still append: no event can be inserted before them later.
 *
 * Reads everything that was committed before the call. If an open append holds some of it back, this waits for `stallMs`, then calls
 * `onStall` and ends.
 */
export async function* readAll<T>(
  { reader, readingGate, settings }: ReadableLog,
  afterSequence: number,
  readPages: (cursor: Cursor, gate: string) => AsyncIterable<Page<T>>,
): AsyncIterable<T> {
  const begun = await beginning(reader, afterSequence);
  if (begun === null) return;
  const { target } = begun;
  let { cursor } = begun;
  const end = performance.now() + settings.stallMs;
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
    // The gate is read before the pages: they must see the events of all transactions that ended before it was read.
    const { gate, isOpen } = begun.openGate ?? (await readingGate.read(target));
    for await (const page of readPages(cursor, gate)) {
      cursor = page.end;
      yield* page.items;
    }
    if (isOpen) return;
    if (performance.now() > end) break;
    await sleep(pause);
  }
  const stall = await findReadingStall(reader);
  if (stall !== null) settings.onStall(stall);
}

/** One page after the other, up to the last one. */
async function* oneByOne<T>(readPage: ReadPage<T>, from: Cursor, gate: string): AsyncIterable<Page<T>> {
  for (let page = await readPage(from, gate); page !== null; page = await readPage(page.end, gate)) {
    yield page;
    if (page.isLast) return;
  }
}

/** The same, but reads each page while the previous one is processed. */
export async function* ahead<T>(readPage: ReadPage<T>, from: Cursor, gate: string): AsyncIterable<Page<T>> {
  let next: Promise<Page<T> | null> = readPage(from, gate);
  try {
    for (let page = await next; page !== null; page = await next) {
      next = page.isLast ? Promise.resolve(null) : readPage(page.end, gate);
      // The loop awaits it later and gets the error then.
      next.catch(() => {});
      // Processing the page blocks the process, so the request for the next page is sent first.
      await nextTurn();
      yield page;
    }
  } finally {
    await next.catch(() => {});
  }
}

/** Reads stored events of all types. */
export function readAllEvents(
  log: ReadableLog,
  afterSequence: number,
  pageSize: number,
): AsyncIterable<readonly StoredRecord[]> {
  const readPage = recordPages(log, pageSize);
  return readAll(log, afterSequence, (cursor, gate) => oneByOne(readPage, cursor, gate));
}

/** Reads pages of stored events. */
export function recordPages(log: ReadableLog, pageSize: number): ReadPage<readonly StoredRecord[]> {
  const { reader } = log;
  return async ({ transactionId, sequence }, gate) => {
    const rows = await reader.rows('svc-read-all', pageStatement, [transactionId, sequence, pageSize, gate]);
    if (rows.length === 0) return null;
    const records = (await withLargeBodies(log, rows, largePackedBodies)).map(toRecordOfPacked);
    const last = records.at(-1)!;
    const end = { transactionId: String(last.transaction), sequence: String(last.sequence) };
    return { items: [records], end, isLast: records.length === rows.length && rows.length < pageSize };
  };
}

/** Reads the parsed events of some types. Of the others, only the last place is known. */
export function readEventsOfTypes(
  log: ReadableLog,
  afterSequence: number,
  pageSize: number,
  types: readonly string[],
): AsyncIterable<ReplayPage> {
  const readPage: ReadPage<ParsedPage> = async ({ transactionId, sequence }, gate) => {
    const most = pageSize * rowsPerWanted;
    const values = [transactionId, sequence, most, gate, types, Math.min(pageSize, eventsPerRow)];
    const rows = await log.reader.rows('svc-read-types', typesStatement, values);
    const texts = rows.map((row) => row['events']).filter((text) => typeof text === 'string');
    if (texts.length === 0) return null;
    const [found, fitting] = [sumOf(rows, 'found'), sumOf(rows, 'fitting')];
    return {
      items: parsedPages(texts, types),
      end: endOfPage(texts.at(-1)!),
      isLast: found === fitting && found < most,
    };
  };
  const pages = readAll(log, afterSequence, (cursor, gate) => ahead(readPage, cursor, gate));
  return withArchivedBodies(pages, log.archived);
}

/** The place after which a page begins. */
export interface Cursor {
  readonly transactionId: string;
  readonly sequence: string;
}

/** The events of a page. The arguments are expressions. */
export function pageOf(transaction: string, sequence: string, size: string, gate: string): string {
  return `
  transaction_id < greatest(${readableBefore}, ${gate}::xid8) AND (transaction_id, sequence) > (${transaction}::xid8, ${sequence}::bigint)
  ORDER BY transaction_id, sequence LIMIT ${size}`;
}

const pageCondition = pageOf('$1', '$2', '$3', '$4');

const pageStatement = `
  SELECT ${packedEventColumns} FROM (SELECT * FROM svc_events WHERE ${pageCondition}) event ${joinOriginal}
  ORDER BY event.transaction_id, event.sequence`;

const largePackedBodies = { ...largeEventBodies, idOf: idOfPacked };

const fits = `bytes - body_bytes < ${mostPageBytes}`;

/**
 * Many events per row, because a row costs the reader more than its content, and a batch of events a query for their models. With 500, models of a
 * busy host fell behind on two processors.
 */
export const eventsPerRow = 1_000;

/**
 * How many events of the log are read for one of the wanted types. In an audited log, most events are of other types, and each page costs its
 * reader some turns of a busy event loop.
 */
export const rowsPerWanted = 4;

/** Of events of other types, only the last one read is returned, for its place. */
const typesStatement = `
  SELECT '[' || string_agg(${parsedEventText}, ',' ORDER BY transaction_id, sequence)
      FILTER (WHERE ${fits} AND (type_number IS NOT NULL OR is_last)) || ']' AS events,
    count(*) AS found, count(*) FILTER (WHERE ${fits}) AS fitting
  FROM (
    SELECT *, sum(body_bytes) OVER ordered AS bytes, lead(sequence) OVER ordered IS NULL AS is_last,
      (greatest(count(type_number) OVER ordered, 1) - 1) / $6::bigint AS part
    FROM (
      SELECT event.sequence, event.transaction_id, event.id, event.stream_id, event.position, event.timestamp, event.correlation_id,
        event.causation_id, event.type_number, ${originalOr('body')} AS body, ${originalOr('scope')} AS scope,
        ${originalOr('metadata')} AS metadata, ${originalOr('archive')} AS archive, ${originalOr('sequence')} AS archived_sequence,
        -- An archived body counts as none: all bodies of a file fit into memory.
        CASE WHEN event.type_number IS NULL THEN 0 ELSE coalesce(octet_length(${originalOr('body')}::text), 0) END AS body_bytes,
        ${originalJson}
      FROM (
        SELECT *, array_position($5::text[], type) AS type_number FROM svc_events WHERE ${pageCondition}
      ) event ${joinWantedOriginal}
    ) found
    WINDOW ordered AS (ORDER BY transaction_id, sequence ROWS UNBOUNDED PRECEDING)
  ) event
  GROUP BY part ORDER BY part`;

function sumOf(rows: readonly Row[], column: string): number {
  return rows.reduce((sum, row) => sum + Number(row[column]), 0);
}

/** Below every number of 64 bits that an event can have. svc uses none below 0, but the owner of a database can. */
const lowestSequence = '-9223372036854775808';

const beginningStatement = `
  SELECT (SELECT transaction_id FROM svc_events WHERE sequence = $1) AS after,
    last.transaction_id AS target, last.sequence AS last, ${readableBefore} AS oldest
  FROM (VALUES (1)) AS one
  LEFT JOIN (SELECT transaction_id, sequence FROM svc_events ORDER BY transaction_id DESC, sequence DESC LIMIT 1) last ON true`;

interface Beginning {
  readonly cursor: Cursor;
  /** The last transaction that has committed events. */
  readonly target: string;
  /** Null: an open transaction holds events back, or may do so. */
  readonly openGate: Gate | null;
}

/** Where to begin, and how far the log can be read. Null: there is nothing to read. */
async function beginning(reader: Reader, afterSequence: number): Promise<Beginning | null> {
  const [row] = await reader.rows('svc-read-all-beginning', beginningStatement, [Math.max(-1, afterSequence)]);
  const { target, last, oldest, after } = row!;
  if (afterSequence < 0) {
    if (typeof target !== 'string') return null;
    return { cursor: { transactionId: '0', sequence: lowestSequence }, target, openGate: openGate(target, oldest!) };
  }
  if (typeof after !== 'string') {
    throw new ServiceError(
      'SVC_UNKNOWN_EVENT',
      `Cannot read the log after sequence ${afterSequence}: no event has this sequence number. Pass that of an event that was read.`,
    );
  }
  if (last === String(afterSequence)) return null;
  return {
    cursor: { transactionId: after, sequence: String(afterSequence) },
    target: target!,
    openGate: openGate(target!, oldest!),
  };
}
