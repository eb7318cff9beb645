import type { Int, Min, Uuid } from '../../json/index.js';
import { newId, type SystemEvent } from '../../messages/index.js';
import { auditEvent } from '../audit-attribute.js';

/** Emitted when the log was sealed: the signed checkpoint of all events up to one. The next checkpoint covers this event. */
@auditEvent({ exclude: true, reason: 'Seals are records themselves.' })
export class LogSealed implements SystemEvent {
  id: Uuid = newId();
  /** The number of the checkpoint, starting at 1. */
  number!: Int & Min<1>;
  /** How many events of the log the checkpoint covers. */
  size!: Int & Min<1>;
  /** The root of the Merkle tree of these events, in hexadecimal digits. */
  root!: string;
  /** The digest of the previous checkpoint. Absent: it is the first. */
  predecessor?: string;
  /** The id of the key that signed it. */
  keyId!: string;
  /** The signed checkpoint, as canonical JSON. */
  checkpoint!: string;
  timestamp!: Date;
}
