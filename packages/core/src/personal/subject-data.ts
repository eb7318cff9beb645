import type { Uuid } from '../json/index.js';
import {
  around,
  type DeadLetterRecord,
  type MessageRecord,
  type ScheduledCommand,
  type Storage,
} from '../storage/index.js';
import type { KeyVault } from './key-vault.js';
import { PersonalCipher } from './personal-cipher.js';
import { SubjectKeys } from './subject-keys.js';

/** A message with personal data of a subject. */
export interface SubjectMessage {
  readonly id: Uuid;
  readonly type: string;
  readonly time: string;
  /** Personal data of other subjects are null. */
  readonly body: unknown;
}

/** All data of a subject that a database stores in messages. Models are computed from them. */
export interface SubjectData {
  readonly events: readonly (SubjectMessage & { readonly streamId: Uuid; readonly position: number })[];
  readonly scheduled: readonly SubjectMessage[];
  readonly deadLetters: readonly SubjectMessage[];
}

/** The audit records of events repeat the events. */
const repeating = 'svc.EventAudited';
const pageSize = 500;

/** Reads and decrypts all data of a subject. Reads the whole log: no index of people is stored. */
export async function subjectData(storage: Storage, vault: KeyVault, subject: string): Promise<SubjectData> {
  const { subjectKeys } = storage;
  const [key] = subjectKeys === undefined ? [] : await subjectKeys.ofSubjects([subject]);
  const found = {
    events: [] as SubjectData['events'][number][],
    scheduled: [] as SubjectMessage[],
    deadLetters: [] as SubjectMessage[],
  };
  if (subjectKeys === undefined || key === undefined) return found;
  // The keys of other subjects are not loaded: their data read as null.
  const only = around(subjectKeys, { byIds: (ids) => Promise.resolve(ids.includes(key.id) ? [key] : []) });
  const cipher = new PersonalCipher(new SubjectKeys(only, vault));
  const isAbout = ({ body }: MessageRecord): boolean => body.includes(`:${key.id}:`);
  const opened = async ({ id, type, timestamp, body }: MessageRecord): Promise<SubjectMessage> => ({
    id,
    type,
    time: new Date(timestamp).toISOString(),
    body: contentOf(await cipher.decryptText(body)),
  });
  for await (const record of storage.readAll()) {
    if (record.type === repeating || !isAbout(record)) continue;
    found.events.push({ ...(await opened(record)), streamId: record.streamId, position: record.position });
  }
  for (let after: Uuid | undefined; storage.schedule !== undefined;) {
    const page: readonly ScheduledCommand[] = await storage.schedule.read(pageSize, after);
    for (const { message } of page) if (isAbout(message)) found.scheduled.push(await opened(message));
    if (page.length < pageSize) break;
    after = page.at(-1)!.message.id;
  }
  for (let after: Uuid | null = null; ;) {
    const page: readonly DeadLetterRecord[] = await storage.readDeadLetters(after, pageSize);
    for (const { message } of page) if (isAbout(message)) found.deadLetters.push(await opened(message));
    if (page.length < pageSize) return found;
    after = page.at(-1)!.id;
  }
}

/** The body of a dead letter may be a text that is not JSON. */
function contentOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
