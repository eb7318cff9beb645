import { recordedAction, type OperatorAction } from '../operations/index.js';
import { runAs } from '../security/index.js';
import type { SystemEventEmitter } from '../system-events/index.js';
import type { AdministrationParts } from './administration-parts.js';

/** Why an operator changes something, and who it is. */
export interface Change {
  readonly operator: string;
  readonly reason?: string;
}

/** Records a change of an operator with its reason, then makes it. Without a record it is not made. */
export async function recordedChange<T>(
  parts: AdministrationParts,
  { operator, reason }: Change,
  action: Omit<OperatorAction, 'requestedBy'>,
  work: () => Promise<T>,
): Promise<T> {
  const given = { ...action.arguments, ...(reason !== undefined && { reason }) };
  return await recordedAction(asActor(parts), { ...action, arguments: given, requestedBy: operator }, work);
}

/** Emits as the current actor, so that the records are in the database that it works in, and have its tenant. */
function asActor({ access, emitter }: AdministrationParts): Pick<SystemEventEmitter, 'emit'> {
  const { actor } = access;
  return {
    emit: (event) =>
      actor === null ? access.runAsHost(() => emitter.emit(event)) : runAs(actor, () => emitter.emit(event)),
  };
}
