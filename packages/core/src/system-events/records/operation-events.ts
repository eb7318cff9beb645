import type { Int, Uuid } from '../../json/index.js';
import { newId, type SystemEvent } from '../../messages/index.js';
import { auditEvent } from '../audit-attribute.js';

const reason = 'Operation events are records themselves.';

/** Emitted when an operation that an operator requested starts. */
@auditEvent({ exclude: true, reason })
export class OperationStarted implements SystemEvent {
  id: Uuid = newId();
  operationId!: Uuid;
  /** The kind of the operation, such as `perspectives.rebuild`. */
  kind!: string;
  /** The subject of the operation, such as the name of a perspective. */
  target?: string;
  arguments!: unknown;
  requestedBy!: string;
  /** Above 1 if earlier hosts were lost during the operation. */
  attempt!: Int;
  timestamp!: Date;
}

/** Emitted when an operation that an operator requested has ended. */
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
