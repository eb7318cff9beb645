/** Many events as one JSON text, so that one call of the parser reads them. */
import type { Uuid } from '@svc/core';
import type { ArchivedBodies, LogPlace, ParsedRecord, ReplayPage, StoredRecord } from '@svc/core/storage';
import { auditContent, auditMetadata, type OriginalJson } from './audit-references.js';
import { millisecondsOf } from './rows.js';

const place = ['event.sequence', 'event.transaction_id'];
/** For archived events and audit records that refer to an event. Null otherwise, and then left out of the array. */
const moreColumn = `
  CASE WHEN event.archive IS NOT NULL OR event.original IS NOT NULL THEN
    concat('{', concat_ws(',', '"archive":' || event.archive, '"sequence":' || event.archived_sequence, '"original":' || event.original), '}')
  END`;

const wanted = [
  'event.type_number',
  'event.position',
  millisecondsOf('event.timestamp'),
  `'"' || event.id || '"'`,
  `'"' || event.stream_id || '"'`,
  `'"' || event.correlation_id || '"'`,
  `coalesce('"' || event.causation_id || '"', 'null')`,
  `coalesce(event.body::text, 'null')`,
  `coalesce(event.scope::text, 'null')`,
  'event.metadata',
  moreColumn,
  ...place,
];

/** An event as an array: complete if its type is wanted and so has a `type_number`, otherwise only its place. */
export const parsedEventText = `
  CASE WHEN event.type_number IS NULL THEN ${arrayOf(place)} ELSE ${arrayOf(wanted)} END`;

function arrayOf(values: readonly string[]): string {
  return `concat('[', concat_ws(',', ${values.join(', ')}), ']')`;
}

type Place = [sequence: number, transaction: number];
type Wanted = [
  typeNumber: number,
  position: number,
  timestamp: number,
  id: Uuid,
  streamId: Uuid,
  correlationId: Uuid,
  causationId: Uuid | null,
  content: unknown,
  scope: ParsedRecord['scope'],
  metadata: ParsedRecord['metadata'],
  ...more: [More] | [],
  ...place: Place,
];

/** What some events have in addition. */
interface More {
  /** The number of the file that has the body. */
  readonly archive?: number;
  /** The sequence number of the event that has the body. */
  readonly sequence: number;
  /** The event that an audit record refers to. */
  readonly original?: OriginalJson;
}

/** A page whose archived events have no bodies yet. */
export interface ParsedPage {
  readonly records: readonly (ParsedRecord | ArchivedLine)[];
  readonly upTo: LogPlace;
  readonly hasArchived: boolean;
}

/** Parses one text at a time, so that not all events are in memory together. */
export function* parsedPages(texts: readonly string[], types: readonly string[]): Iterable<ParsedPage> {
  for (const text of texts) yield parsedPage(text, types);
}

function parsedPage(text: string, types: readonly string[]): ParsedPage {
  const lines = JSON.parse(text) as (Place | Wanted)[];
  const records: (ParsedRecord | ArchivedLine)[] = [];
  let hasArchived = false;
  for (const line of lines) {
    if (line.length === 2) continue;
    const record = new ParsedLine(line, types);
    const found = line.length > lengthOfWanted ? withMore(record, line[placeAt] as More) : record;
    hasArchived ||= found instanceof ArchivedLine;
    records.push(found);
  }
  const [sequence, transaction] = lines.at(-1)!.slice(-2) as Place;
  return { records, upTo: { sequence, transaction }, hasArchived };
}

const lengthOfWanted = 12;

/** Adds the bodies of archived events. */
export async function* withArchivedBodies(
  pages: AsyncIterable<ParsedPage>,
  archived: ArchivedBodies,
): AsyncIterable<ReplayPage> {
  for await (const { records, upTo, hasArchived } of pages) {
    if (!hasArchived) yield { records: records as readonly ParsedRecord[], upTo };
    else {
      const complete: (ParsedRecord | StoredRecord)[] = [];
      for (const record of records) {
        const found = record instanceof ArchivedLine ? record.withBody(archived) : record;
        complete.push(found instanceof Promise ? await found : found);
      }
      yield { records: complete, upTo };
    }
  }
}

/** Where a page ends, without parsing it. */
export function endOfPage(text: string): { readonly sequence: string; readonly transactionId: string } {
  const [, sequence, transactionId] = /(\d+),(\d+)\]\]$/.exec(text.slice(-longestPlace))!;
  return { sequence: sequence!, transactionId: transactionId! };
}

/** Two numbers of 64 bits, a comma and the closing brackets. */
const longestPlace = 43;

/** Where the place of an event that is stored completely begins. */
const placeAt = 10;

/** A class instead of literals: V8 would start to allocate the literals as long-lived objects. */
class ParsedLine implements ParsedRecord {
  readonly id: Uuid;
  readonly type: string;
  readonly streamId: Uuid;
  readonly content: unknown;
  readonly timestamp: number;
  readonly correlationId: Uuid;
  readonly causationId: Uuid | null;
  readonly scope: ParsedRecord['scope'];
  readonly metadata: ParsedRecord['metadata'];
  readonly position: number;
  readonly sequence: number;
  readonly transaction: number;

  constructor(line: Wanted, types: readonly string[]) {
    this.id = line[3];
    this.type = types[line[0] - 1]!;
    this.streamId = line[4];
    this.timestamp = line[2];
    this.correlationId = line[5];
    this.causationId = line[6];
    this.content = line[7];
    this.scope = line[8];
    this.metadata = line[9];
    this.position = line[1];
    this.sequence = line.at(-2) as number;
    this.transaction = line.at(-1) as number;
  }
}

/** An event whose body is in an archive file. */
export class ArchivedLine {
  readonly #record: ParsedRecord;
  readonly #archive: number;
  readonly #more: More;

  constructor(record: ParsedRecord, archive: number, more: More) {
    this.#record = record;
    this.#archive = archive;
    this.#more = more;
  }

  /** Returns a promise only if the file must be read. */
  withBody(archived: ArchivedBodies): StoredRecord | ParsedRecord | Promise<StoredRecord | ParsedRecord> {
    const read = archived.read(this.#archive, this.#more.sequence);
    return typeof read === 'string' ? this.#with(read) : read.then((body) => this.#with(body));
  }

  #with(body: string): StoredRecord | ParsedRecord {
    const { original } = this.#more;
    const { content: _, ...record } = this.#record;
    if (original === undefined) return { ...record, body };
    return audited({ ...record, content: JSON.parse(body) as unknown }, original);
  }
}

function withMore(record: ParsedRecord, found: More): ParsedRecord | ArchivedLine {
  const { archive, original } = found;
  return archive === undefined ? audited(record, original!) : new ArchivedLine(record, archive, found);
}

/** The audit record that refers to an event, with what was read of the event. */
function audited(read: ParsedRecord, original: OriginalJson): ParsedRecord {
  return { ...read, content: auditContent(read, original), metadata: auditMetadata(read.metadata) };
}
