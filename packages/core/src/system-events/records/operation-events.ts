import type { Int, Uuid } from '../../json/index.js';
import { newId, type SystemEvent } from '../../messages/index.js';
import { auditEvent } from '../audit-attribute.js';

const reason = 'What operators do is a record already.';

/** A host has begun with what an operator asked for. */
@auditEvent({ exclude: true, reason })
export class OperationStarted implements SystemEvent {
  id: Uuid = newId();
  operationId!: Uuid;
  /** What was asked for, such as `perspectives.rebuild`. */
  kind!: string;
  /** What it is about, such as the name of a perspective. */
  target?: string;
  arguments!: unknown;
  requestedBy!: string;
  /** Above 1 when hosts before it were lost. */
  attempt!: Int;
  timestamp!: Date;
}

/** What an operator asked for has ended. */
@auditEvent({ exclude: true, reason })
export class OperationEnded implements SystemEvent {
  id: Uuid = newId();
  operationId!: Uuid;
  kind!: string;
  target?: string;
  requestedBy!: string;
  outcome!: 'done' | 'failed' | 'cancelled';
  error?: string;
  timestamp!: Date;
}
