import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import {
  comparePlaces,
  lineOfRecord,
  recordOfLine,
  type SealRecord,
  type Storage,
  type StoredRecord,
} from '../storage/index.js';
import type { AnchoredCheckpoint } from './anchor.js';
import { AnchoredCheckpoints } from './anchors.js';
import { readCheckpoint, signatureFault, type Checkpoint } from './checkpoint.js';
import { digestOf } from './event-digest.js';
import { Frontier, GrownTree, rootOfInclusion } from './merkle-tree.js';
import type { PublicSealKey } from './seal-keys.js';

/** Proves that a log had an event when it was sealed. Everything that the proof needs is in it. */
interface InclusionProof {
  readonly format: 'svc-proof/1';
  /** How many events are before it in the log. */
  readonly index: number;
  /** The hashes that lead to the root, in hexadecimal digits. */
  readonly path: readonly string[];
  /** The signed checkpoint, as canonical JSON. */
  readonly checkpoint: string;
  /** The event, as a line of an export. */
  readonly event: string;
}

/** What a proof shows. */
export interface CheckedProof {
  /** Why it proves nothing; null: it is valid. */
  readonly fault: string | null;
  readonly event: StoredRecord;
  readonly checkpoint: Checkpoint;
  /** Whether keys were given, or an anchor had them. */
  readonly isPinned: boolean;
}

/** Writes the proof of an event. Null: the event does not exist, or is not sealed yet. Throws if the event is not as it was sealed. */
export async function proveEvent(storage: Storage, eventId: Uuid): Promise<string | null> {
  const record = await storage.findEvent(eventId);
  const seal = record === null ? null : await sealOf(storage, record);
  if (record === null || seal === null) return null;
  const [before] = seal.number === 1 ? [] : await storage.seals!.read(seal.number - 2, 1);
  const frontier = before === undefined ? new Frontier() : Frontier.of(before.size, before.frontier);
  const checkpoint = readCheckpoint(seal.checkpoint);
  if (frontier === null || checkpoint === null) throw notAsSealed(eventId);
  const leaves: Buffer[] = [];
  let found = -1;
  for await (const one of storage.readAll(before?.lastSequence ?? -1)) {
    if (comparePlaces(one, checkpoint.end) > 0) break;
    if (one.id === eventId) found = leaves.length;
    leaves.push(digestOf(one).leaf);
  }
  const tree = new GrownTree(frontier, leaves);
  if (found < 0 || tree.size !== seal.size || tree.root.toString('hex') !== checkpoint.root) throw notAsSealed(eventId);
  const index = frontier.size + found;
  const proof: InclusionProof = {
    format: 'svc-proof/1',
    index,
    path: tree.inclusionProof(index).map((hash) => hash.toString('hex')),
    checkpoint: seal.checkpoint,
    event: lineOfRecord(record),
  };
  return `${JSON.stringify(proof, null, 2)}\n`;
}

/** Checks a proof without the log. Throws `SVC_EXPORT_INVALID` if the text is not a proof. */
export function checkProof(
  text: string,
  {
    keys = [],
    anchored = [],
  }: { readonly keys?: readonly PublicSealKey[]; readonly anchored?: readonly AnchoredCheckpoint[] },
): CheckedProof {
  const { index, path, checkpoint: signed, event: line } = readProof(text);
  const checkpoint = readCheckpoint(signed);
  if (checkpoint === null) throw notAProof();
  const event = recordOfLine(line);
  const anchors = new AnchoredCheckpoints(anchored, checkpoint.log);
  const given = [...keys, ...anchors.keys];
  const isPinned = given.length > 0;
  const trusted = new Map((isPinned ? given : checkpoint.keys).map((key) => [key.id, key]));
  const siblings = path.map((hash) => Buffer.from(hash, 'hex'));
  const root = rootOfInclusion(digestOf(event).leaf, index, checkpoint.size, siblings);
  const result = (fault: string | null): CheckedProof => ({ fault, event, checkpoint, isPinned });
  if (root?.toString('hex') !== checkpoint.root) return result('the event is not the one that was sealed');
  if (anchors.contradicts(checkpoint.number, signed)) {
    return result(`an anchor has another checkpoint ${checkpoint.number}: the log was rewritten and sealed again`);
  }
  const fault = signatureFault(checkpoint, trusted);
  if (fault === 'unknown-key')
    return result(`the checkpoint is signed by the key ${checkpoint.key}, which is not trusted`);
  return result(fault === null ? null : 'the signature of the checkpoint is not valid');
}

/** The first seal that covers an event; null: it is not sealed yet. */
async function sealOf({ seals }: Storage, record: StoredRecord): Promise<SealRecord | null> {
  const last = await seals?.readLast();
  if (last === null || last === undefined || !covers(last, record)) return null;
  let [low, high] = [1, last.number];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [seal] = await seals!.read(middle - 1, 1);
    if (seal !== undefined && covers(seal, record)) high = middle;
    else low = middle + 1;
  }
  return (await seals!.read(low - 1, 1))[0] ?? null;
}

function covers({ checkpoint }: Pick<SealRecord, 'checkpoint'>, record: StoredRecord): boolean {
  const end = readCheckpoint(checkpoint)?.end;
  return end !== undefined && comparePlaces(record, end) <= 0;
}

function readProof(text: string): InclusionProof {
  try {
    const proof = JSON.parse(text) as InclusionProof;
    if (proof.format === 'svc-proof/1' && Array.isArray(proof.path) && typeof proof.index === 'number') return proof;
  } catch {
    // Reported below.
  }
  throw notAProof();
}

function notAProof(): ServiceError {
  return new ServiceError('SVC_EXPORT_INVALID', 'The file is not a proof. Write one with svc audit prove <event id>.');
}

function notAsSealed(eventId: Uuid): ServiceError {
  return new ServiceError(
    'SVC_SEALS_DAMAGED',
    `Cannot prove the event ${eventId}: the log is not as it was sealed. Run svc audit verify to find the difference.`,
  );
}
