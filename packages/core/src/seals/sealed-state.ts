import { ServiceError } from '../errors/index.js';
import type { SealHead } from '../storage/index.js';
import { readCheckpoint, type Checkpoint } from './checkpoint.js';
import { Frontier } from './merkle-tree.js';
import type { PrivateSealKey } from './seal-keys.js';

/** The last seal of a log, from which the next one continues. */
export interface SealedState {
  /** The text of the last checkpoint; null: there is none. */
  readonly text: string | null;
  readonly checkpoint: Checkpoint | null;
  readonly frontier: Frontier;
}

/** Throws `SVC_SEALS_DAMAGED` if the last seal is not what was stored. */
export function stateOf(seal: SealHead | null): SealedState {
  if (seal === null) return { text: null, checkpoint: null, frontier: new Frontier() };
  const checkpoint = readCheckpoint(seal.checkpoint);
  const frontier = Frontier.of(seal.size, seal.frontier);
  const isIntact =
    checkpoint?.number === seal.number &&
    checkpoint.size === seal.size &&
    checkpoint.end.sequence === seal.lastSequence &&
    frontier?.root.toString('hex') === checkpoint.root;
  if (isIntact && frontier !== null) return { text: seal.checkpoint, checkpoint, frontier };
  throw new ServiceError(
    'SVC_SEALS_DAMAGED',
    `Cannot seal more events: the seal with number ${seal.number} in svc_seals was changed. Run svc audit verify, and restore the database from a backup.`,
  );
}

/** The key for the next checkpoint: the first one that an earlier checkpoint contains. */
export function signingKeyFor(
  { checkpoint }: SealedState,
  keys: readonly PrivateSealKey[],
  oldKeyIsLost: boolean,
): PrivateSealKey {
  if (checkpoint === null) return keys[0]!;
  const known = keys.find(({ id }) => checkpoint.keys.some((key) => key.id === id));
  if (known !== undefined) return known;
  if (oldKeyIsLost) return keys[0]!;
  throw new ServiceError(
    'SVC_SEAL_KEY_UNKNOWN',
    `Cannot seal more events: no checkpoint contains the key ${keys[0]!.id}. Pass the key ${checkpoint.key} after it in "keys" until a checkpoint is signed, or set oldKeyIsLost if you no longer have it.`,
  );
}
