import type { Int, Uuid } from '../../json/index.js';
import { newId, type SystemEvent } from '../../messages/index.js';
import { auditEvent } from '../audit-attribute.js';

/** Emitted when the personal data of a subject were erased: its key is destroyed, and what was computed from the data is computed again. */
@auditEvent({ exclude: true, reason: 'Erasures are records themselves.' })
export class SubjectErased implements SystemEvent {
  id: Uuid = newId();
  subject!: string;
  /** The reason that the operator gave. */
  reason!: string;
  /** The operator; absent for the host itself. */
  erasedBy?: string;
  /** How many events have personal data of the subject, which now read as null. */
  events!: Int;
  /** How many snapshots were deleted. */
  snapshots!: Int;
  /** How many results of idempotency keys were deleted. */
  results!: Int;
  /** How many dead letters were deleted. */
  deadLetters!: Int;
  /** The perspectives whose models of the subject were rebuilt. */
  perspectives!: string[];
  timestamp!: Date;
}
