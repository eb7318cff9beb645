/** Many events as one JSON text, so that one call of the parser reads them. */
import type { Uuid } from '@svc/core';
import type { ParsedRecord, ReplayPage } from '@svc/core/storage';
import { auditContent, auditMetadata, type OriginalJson } from './audit-references.js';
import { millisecondsOf } from './rows.js';

const place = ['event.sequence', 'event.transaction_id'];
const wanted = [
  'event.type_number',
  'event.position',
  millisecondsOf('event.timestamp'),
  `'"' || event.id || '"'`,
  `'"' || event.stream_id || '"'`,
  `'"' || event.correlation_id || '"'`,
  `coalesce('"' || event.causation_id || '"', 'null')`,
  'event.body',
  `coalesce(event.scope::text, 'null')`,
  'event.metadata',
  // Left out if null.
  'event.original',
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
  ...original: [OriginalJson] | [],
  ...place: Place,
];

/** Parses one text at a time, so that not all events are in memory together. */
export function* parsedPages(texts: readonly string[], types: readonly string[]): Iterable<ReplayPage> {
  for (const text of texts) yield parsedPage(text, types);
}

function parsedPage(text: string, types: readonly string[]): ReplayPage {
  const lines = JSON.parse(text) as (Place | Wanted)[];
  const records: ParsedRecord[] = [];
  for (const line of lines) if (line.length > 2) records.push(new ParsedLine(line as Wanted, types));
  const [sequence, transaction] = lines.at(-1)!.slice(-2) as Place;
  return { records, upTo: { sequence, transaction } };
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
    if (line.length > placeAt + 2) {
      this.content = auditContent(this, line[placeAt] as OriginalJson);
      this.metadata = auditMetadata(this.metadata);
    }
  }
}
