import { hasPersonal } from '../json/index.js';
import {
  around,
  pagesOf,
  plainMessage,
  type CommitRecord,
  type DeadLetterRecord,
  type MessageRecord,
  type ModelReplica,
  type OutgoingRecord,
  type ParsedRecord,
  type PendingRecord,
  type PerspectiveCommit,
  type PerspectiveStorage,
  type ScheduledRecord,
  type Storage,
  type StorageAudit,
  type StorageReplay,
  type StorageSnapshots,
  type StoredModel,
  type StoredRecord,
} from '../storage/index.js';
import type { PersonalCipher } from './personal-cipher.js';

/** How many events are decrypted together: their keys are loaded at once. */
const eventsPerPage = 100;

/**
 * Encrypts the personal values of everything that is stored, and decrypts those of events, results, snapshots and models when they are read. Outgoing
 * messages, dead letters and scheduled commands stay encrypted: transports send them as they are, and `CommandInbox` decrypts commands.
 */
export function personalStorage(storage: Storage, cipher: PersonalCipher): Storage {
  return around<Storage>(storage, {
    commit: (record, signal) => {
      const texts = textsOf(record);
      if (!texts.some(hasPersonal)) return storage.commit(record, signal);
      const encrypted = cipher.encryptAtOnce(texts);
      if (encrypted !== null) return storage.commit(withTexts(record, encrypted), signal);
      return cipher.encrypt(texts).then((later) => storage.commit(withTexts(record, later), signal));
    },
    readStream: (streamId, fromPosition) => openedEvents(storage.readStream(streamId, fromPosition), cipher),
    readPositions: (streamId, positions) => openedEvents(storage.readPositions(streamId, positions), cipher),
    readAll: (afterSequence) => openedEvents(storage.readAll(afterSequence), cipher),
    findEvent: async (eventId) => {
      const record = await storage.findEvent(eventId);
      return record === null ? null : { ...record, body: await cipher.decryptText(record.body) };
    },
    findIdempotent: async (id, maxAgeMs) => {
      const record = await storage.findIdempotent(id, maxAgeMs);
      return record === null ? null : { ...record, result: await cipher.decryptText(record.result) };
    },
    ...(storage.replay !== undefined && { replay: personalReplay(storage.replay, cipher) }),
    ...(storage.audit !== undefined && { audit: personalAudit(storage.audit, cipher) }),
    ...(storage.snapshots !== undefined && { snapshots: personalSnapshots(storage.snapshots, cipher) }),
    ...(storage.perspectives !== undefined && { perspectives: personalPerspectives(storage.perspectives, cipher) }),
  });
}

async function* openedEvents(
  records: AsyncIterable<StoredRecord>,
  cipher: PersonalCipher,
): AsyncIterable<StoredRecord> {
  for await (const page of pagesOf(records, eventsPerPage, ({ body }) => body.length)) {
    const bodies = await cipher.decrypt(page.map(({ body }) => body));
    for (const [i, record] of page.entries()) {
      yield bodies[i] === record.body ? record : { ...record, body: bodies[i]! };
    }
  }
}

function personalReplay(replay: StorageReplay, cipher: PersonalCipher): StorageReplay {
  return around<StorageReplay>(replay, {
    async *readReplayPages(afterSequence, pageSize, types) {
      for await (const page of replay.readReplayPages(afterSequence, pageSize, types)) {
        yield { ...page, records: await openedRecords(page.records, cipher) };
      }
    },
  });
}

/** Parsed contents are decrypted where they are: they were read for this page. */
async function openedRecords(
  records: readonly (StoredRecord | ParsedRecord)[],
  cipher: PersonalCipher,
): Promise<readonly (StoredRecord | ParsedRecord)[]> {
  await cipher.decryptContents(records.flatMap((record) => ('body' in record ? [] : record.content)));
  const bodies = await cipher.decrypt(records.map((record) => ('body' in record ? record.body : '')));
  return records.map((record, i) =>
    'body' in record && bodies[i] !== record.body ? { ...record, body: bodies[i]! } : record,
  );
}

function personalAudit(audit: StorageAudit, cipher: PersonalCipher): StorageAudit {
  return around<StorageAudit>(audit, {
    readPage: async (range, limit) => {
      const page = await audit.readPage(range, limit);
      const bodies = await cipher.decrypt(page.records.map(({ record }) => record?.body ?? ''));
      const records = page.records.map(({ place, record }, i) => ({
        place,
        record: record === null ? null : { ...record, body: bodies[i]! },
      }));
      return { ...page, records };
    },
  });
}

function personalSnapshots(snapshots: StorageSnapshots, cipher: PersonalCipher): StorageSnapshots {
  return around<StorageSnapshots>(snapshots, {
    read: async (decider, streamId, version) => {
      const record = await snapshots.read(decider, streamId, version);
      return record === null ? null : { ...record, state: await cipher.decryptText(record.state) };
    },
    write: async (snapshot, outdatedBefore) => {
      const [state] = await cipher.encrypt([snapshot.state]);
      await snapshots.write({ ...snapshot, state: state! }, outdatedBefore);
    },
  });
}

function personalPerspectives(storage: PerspectiveStorage, cipher: PersonalCipher): PerspectiveStorage {
  return around<PerspectiveStorage>(storage, {
    ...(storage.replica !== undefined && { replica: openedModels(storage.replica, cipher) }),
    ...openedModels(storage, cipher),
    readSnapshot: async (perspective, id, beforeEventId) => {
      const snapshot = await storage.readSnapshot(perspective, id, beforeEventId);
      if (snapshot === null || snapshot.body === null) return snapshot;
      return { ...snapshot, body: await cipher.decryptText(snapshot.body) };
    },
    commitPerspective: (commit) => {
      const texts = [
        ...commit.models.map(({ body }) => body ?? ''),
        ...commit.snapshots.map(({ body }) => body ?? ''),
        ...(commit.outgoing ?? []).map(textOfOutgoing),
      ];
      if (!texts.some(hasPersonal)) return storage.commitPerspective(commit);
      return cipher.encrypt(texts).then((encrypted) => storage.commitPerspective(withModelTexts(commit, encrypted)));
    },
  });
}

function openedModels(storage: ModelReplica, cipher: PersonalCipher): ModelReplica {
  const opened = async (records: readonly StoredModel[]): Promise<readonly StoredModel[]> => {
    const bodies = await cipher.decrypt(records.map(({ body }) => body ?? ''));
    return records.map((record, i) => (record.body === null ? record : { ...record, body: bodies[i]! }));
  };
  return {
    readProgress: (perspective) => storage.readProgress(perspective),
    readModels: async (perspective, ids) => await opened(await storage.readModels(perspective, ids)),
    findModels: async (perspective, key, limit) => await opened(await storage.findModels(perspective, key, limit)),
    listModels: async (perspective, query) => await opened(await storage.listModels(perspective, query)),
    countModels: (perspective, selection) => storage.countModels(perspective, selection),
  };
}

/** All texts of a record, in the order in which `withTexts` replaces them. */
function textsOf({ events, outgoing, idempotency, deadLetters = [], schedules }: CommitRecord): string[] {
  return [
    ...events.map(textOfEvent),
    ...outgoing.map(textOfOutgoing),
    ...(idempotency === undefined ? [] : [idempotency.result]),
    ...deadLetters.map(({ message }) => message.body),
    ...(schedules?.added ?? []).map(({ message }) => message.body),
  ];
}

function withTexts(record: CommitRecord, texts: readonly string[]): CommitRecord {
  const { events, outgoing, idempotency, deadLetters, schedules } = record;
  const next = texts.values();
  const text = (): string => next.next().value!;
  return {
    ...record,
    events: events.map((event) => withEventText(event, text())),
    outgoing: outgoing.map((one) => withOutgoingText(one, text())),
    ...(idempotency !== undefined && { idempotency: { ...idempotency, result: text() } }),
    ...(deadLetters !== undefined && {
      deadLetters: deadLetters.map((letter) => withLetterText(letter, text())),
    }),
    ...(schedules !== undefined && {
      schedules: {
        ...schedules,
        added: schedules.added.map((one) => withScheduledText(one, text())),
      },
    }),
  };
}

function withModelTexts(commit: PerspectiveCommit, texts: readonly string[]): PerspectiveCommit {
  const next = texts.values();
  const text = (): string => next.next().value!;
  const withBody = <T extends { readonly body: string | null }>(record: T): T => {
    const body = text();
    return record.body === null ? record : { ...record, body };
  };
  return {
    ...commit,
    models: commit.models.map(withBody),
    snapshots: commit.snapshots.map(withBody),
    ...(commit.outgoing !== undefined && {
      outgoing: commit.outgoing.map((one) => withOutgoingText(one, text())),
    }),
  };
}

/** The audit record of an event refers to the event, and has no text of its own. */
function textOfEvent(event: PendingRecord): string {
  return event.auditNote === undefined ? event.body : '';
}

function withEventText(event: PendingRecord, body: string): PendingRecord {
  if (textOfEvent(event) === body) return event;
  const { id, type, timestamp, correlationId, causationId, scope, metadata } = event;
  const { streamId, expectedPosition, sameTenant = false } = event;
  // One literal: a commit copies each event with personal data, and spreads take several times as long.
  return {
    id,
    type,
    body,
    timestamp,
    correlationId,
    causationId,
    scope,
    metadata,
    streamId,
    expectedPosition,
    sameTenant,
  } satisfies Required<Omit<PendingRecord, 'auditNote'>>;
}

function textOfOutgoing({ message }: OutgoingRecord): string {
  return message?.body ?? '';
}

function withOutgoingText(one: OutgoingRecord, body: string): OutgoingRecord {
  if (one.message === null || one.message.body === body) return one;
  return { ...one, message: withText(one.message, body) };
}

function withLetterText(letter: DeadLetterRecord, body: string): DeadLetterRecord {
  return { ...letter, message: { ...letter.message, body } };
}

function withScheduledText(scheduled: ScheduledRecord, body: string): ScheduledRecord {
  return { ...scheduled, message: withText(scheduled.message, body) };
}

function withText(message: MessageRecord, body: string): MessageRecord {
  return { ...plainMessage(message), body };
}
