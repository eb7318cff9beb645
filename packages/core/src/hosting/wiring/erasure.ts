import type { AccessControl } from '../../access/index.js';
import { unlessAborted } from '../../background/index.js';
import { ServiceError } from '../../errors/index.js';
import type { Uuid } from '../../json/index.js';
import { OperationKind, eraseArguments, type EraseResult, type OperationHandler } from '../../operations/index.js';
import { isShared } from '../../storage/index.js';
import { SubjectErased, systemNamespace, type SystemEventEmitter } from '../../system-events/index.js';
import type { PersonalData } from './personal-data.js';
import type { RunningPerspectives } from './running-perspectives.js';

/** The request to erase a subject. */
export interface EraseOptions {
  /** Recorded in `SubjectErased`. */
  readonly reason: string;
  /** The operator. Default: none, the host itself. */
  readonly erasedBy?: string;
  /** Stops after the key was destroyed: the next call resumes. */
  readonly signal?: AbortSignal;
}

interface ErasureParts {
  readonly personal: PersonalData | null;
  readonly perspectives: RunningPerspectives;
  /** The perspectives that process events with personal data. */
  readonly names: readonly string[];
  readonly emitter: SystemEventEmitter;
}

/** Erases subjects in one database. Each step can be repeated: an erasure that was interrupted is requested again. */
export class Erasure {
  readonly #parts: ErasureParts;

  constructor(parts: ErasureParts) {
    this.#parts = parts;
  }

  async erase(subject: string, { reason, erasedBy, signal }: EraseOptions): Promise<EraseResult> {
    const { personal, perspectives, names, emitter } = this.#parts;
    if (personal === null) throw nothingToErase();
    const keyIds = await personal.keys.destroy(subject);
    if (keyIds.length === 0) return { events: 0, snapshots: 0, results: 0, deadLetters: 0, perspectives: [] };
    // Until then, other hosts have the key in memory, and could compute models with it.
    if (isShared(personal.raw)) await unlessAborted(after(personal.keys.inMemoryMs), signal);
    const removed = await personal.raw.subjectKeys!.removeSealed(keyIds);
    const { events, streams } = await this.#find(keyIds, personal, signal);
    for (const name of streams.length === 0 ? [] : names) {
      await perspectives.rebuild(name, { streams, ...(signal !== undefined && { signal }) });
    }
    const result = { events, ...removed, perspectives: streams.length === 0 ? [] : [...names] };
    const erased = { subject, reason, ...(erasedBy !== undefined && { erasedBy }), ...result, timestamp: new Date() };
    await emitter.emit(Object.assign(new SubjectErased(), erased));
    return result;
  }

  /** The events with values of the keys, and their streams. Reads the whole log: no index of people is stored. */
  async #find(
    keyIds: readonly Uuid[],
    { raw }: PersonalData,
    signal: AbortSignal | undefined,
  ): Promise<{ events: number; streams: Uuid[] }> {
    const streams = new Set<Uuid>();
    let events = 0;
    for await (const { type, body, streamId } of raw.readAll()) {
      signal?.throwIfAborted();
      if (type.startsWith(systemNamespace) || !keyIds.some((id) => body.includes(`:${id}:`))) continue;
      events++;
      streams.add(streamId);
    }
    return { events, streams: [...streams] };
  }
}

/** The operation `subjects.erase`. */
export function erasureOperations(erasure: Erasure): readonly (readonly [string, OperationHandler])[] {
  return [
    [
      OperationKind.EraseSubject,
      {
        run: ({ target, arguments: given, requestedBy }, { signal }) =>
          erasure.erase(target!, { ...eraseArguments(given), erasedBy: requestedBy, signal }),
      },
    ],
  ];
}

/** Rejects actors that may not erase: a subject can have data of several tenants. */
export async function authorizeErasure(access: AccessControl): Promise<void> {
  const tenant = await access.authorizeSystemWrite();
  if (tenant === null) return;
  throw new ServiceError('SVC_ACCESS_DENIED', 'Only an operator without a tenant can erase a subject.');
}

/** The results of several databases as one. */
export function combined(all: readonly EraseResult[]): EraseResult {
  const sum = (of: (result: EraseResult) => number): number => all.reduce((total, result) => total + of(result), 0);
  return {
    events: sum(({ events }) => events),
    snapshots: sum(({ snapshots }) => snapshots),
    results: sum(({ results }) => results),
    deadLetters: sum(({ deadLetters }) => deadLetters),
    perspectives: [...new Set(all.flatMap(({ perspectives }) => perspectives))],
  };
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

function nothingToErase(): ServiceError {
  return new ServiceError(
    'SVC_KEY_VAULT_MISSING',
    'Cannot erase a subject: the service has no Personal data. Mark them with Personal<…>, then run "svc generate".',
  );
}
