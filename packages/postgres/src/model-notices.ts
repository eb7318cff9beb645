/** The notifications that tell readers on all hosts which models have changed. */
import {
  ModelListeners,
  type ModelChange,
  type ModelChanges,
  type ModelListener,
  type ModelRecord,
  type ModelTables,
} from '@svc/core/storage';
import type { Reader } from './reader.js';

/** The channel of the notifications. */
export const modelsChannel = 'svc_models';

/** PostgreSQL accepts less than 8,000 bytes. */
const largestNotice = 7_900;

/**
 * The notification of a commit: the perspective, its revision and the ids of its models, unless these are too many. Null: callers do not read these
 * tables.
 */
export function changeNotice(
  { perspective, role }: ModelTables,
  revision: number | null,
  models: readonly Pick<ModelRecord, 'id'>[],
): string | null {
  if (models.length === 0 || (role !== 'serving' && role !== 'retained')) return null;
  const plain = JSON.stringify([perspective, revision]);
  // An id has at least one character, with quotation marks and a comma.
  if (models.length * 4 > largestNotice) return plain;
  const whole = JSON.stringify([perspective, revision, models.map(({ id }) => id)]);
  return Buffer.byteLength(whole) > largestNotice ? plain : whole;
}

/** Passes the notifications of all hosts, also of this one, to the readers of this host. */
export class ModelNotices implements ModelChanges {
  readonly #reader: Reader;
  readonly #open: () => Promise<void>;
  readonly #want: () => void;
  readonly #listeners = new ModelListeners();
  readonly #perspectives = new Set<string>();

  /** `want`: called when there is a listener. */
  constructor(reader: Reader, open: () => Promise<void>, want: () => void) {
    this.#reader = reader;
    this.#open = open;
    this.#want = want;
  }

  define(perspectives: readonly string[]): void {
    for (const perspective of perspectives) this.#perspectives.add(perspective);
  }

  listen(listener: ModelListener): void {
    this.#listeners.add(listener);
    this.#want();
  }

  /** `payload`: null after a reconnect, because notifications may be lost. */
  notified(payload: string | null): void {
    if (this.#listeners.isEmpty) return;
    const change = payload === null ? null : changeIn(payload);
    if (change === null) this.#listeners.tellAll(this.#perspectives);
    else this.#listeners.tell(change);
  }

  /** A transaction that waits for the disk: everything that was committed before it is on the disk then, too. */
  async flush(): Promise<void> {
    await this.#open();
    await this.#reader.rows(null, "SELECT pg_logical_emit_message(true, 'svc', '')");
  }
}

/** Null: no host of svc has sent it. Every login of the database may notify. */
function changeIn(notice: string): ModelChange | null {
  let content: unknown;
  try {
    content = JSON.parse(notice);
  } catch {
    return null;
  }
  if (!Array.isArray(content)) return null;
  const [perspective, revision, ids = null] = content as readonly unknown[];
  const isKnown =
    typeof perspective === 'string' &&
    (revision === null || typeof revision === 'number') &&
    (ids === null || (Array.isArray(ids) && ids.every((id) => typeof id === 'string')));
  return isKnown ? { perspective, revision, ids } : null;
}
