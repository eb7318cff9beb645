import { CommandRejectedError, NotFoundError } from '../dispatch/index.js';
import type { Uuid } from '../json/index.js';
import { newId } from '../messages/index.js';
import { OperatorActionKind, type OperationKind } from '../operations/index.js';
import { OperationState, type OperationRecord, type OperationStorage } from '../storage/index.js';
import type { AdministrationParts } from './administration-parts.js';
import { authorizeOperatorRead, authorizeOperatorWrite } from './authorize-operator.js';
import { recordedChange, type Change } from './recorded-change.js';

const mostOpen = 100;
const mostRecent = 50;
/** How long a request waits for a host. Hosts look for requests every second. */
const waitMs = 30_000;

/** The operations of a service: those that have not ended, the oldest first, and the latest of those that have. */
export interface OperationOverview {
  readonly open: readonly OperationRecord[];
  readonly recent: readonly OperationRecord[];
}

/** What an operator requests of the hosts of the service. */
export interface OperationDemand {
  readonly kind: OperationKind;
  readonly target: string | null;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Whether it is rejected while an operation of the same kind is open for the same target. */
  readonly isAlone: boolean;
}

/** The operations that operators have requested, such as rebuilds. */
export class OperationAdministration {
  readonly #parts: AdministrationParts;

  constructor(parts: AdministrationParts) {
    this.#parts = parts;
  }

  async list(): Promise<OperationOverview> {
    await authorizeOperatorRead(this.#parts.access);
    const { operations } = await this.#parts.storageOf();
    if (operations === undefined) return { open: [], recent: [] };
    return { open: await operations.readOpen(mostOpen), recent: await operations.readRecent(mostRecent) };
  }

  async find(id: Uuid): Promise<OperationRecord> {
    await authorizeOperatorRead(this.#parts.access);
    const { operations } = await this.#parts.storageOf();
    const found = (await operations?.find(id)) ?? null;
    if (found === null) throw new NotFoundError(`There is no operation ${id}. List the operations to see their ids.`);
    return found;
  }

  /** Cancels an operation: at once if no host runs it, otherwise its host ends it. Resolves with its new state. */
  async cancel(id: Uuid, reason: string): Promise<OperationRecord> {
    const operator = await authorizeOperatorWrite(this.#parts.access);
    const before = await this.find(id);
    if (hasEnded(before)) throw new CommandRejectedError(`Operation ${id} has already ended: ${before.state}.`);
    const operations = await operationsOf(this.#parts);
    const action = { kind: OperatorActionKind.CancelRequest, target: before.target, arguments: { request: id } };
    await recordedChange(this.#parts, { operator, reason }, action, () => operations.cancel(id));
    return await this.find(id);
  }
}

/** Requests an operation of the hosts of the service. They record its start and its end, with the reason. */
export async function requestOperation(
  parts: AdministrationParts,
  { operator, reason }: Change,
  { kind, target, isAlone, ...demand }: OperationDemand,
): Promise<OperationRecord> {
  const operations = await operationsOf(parts);
  const given = { ...demand.arguments, ...(reason !== undefined && { reason }) };
  const id = newId();
  const request = { id, kind, target, arguments: given, requestedBy: operator };
  const open = await operations.ask(request, { waitMs, isAlone });
  if (open !== null) throw alreadyRequested(open);
  return (await operations.find(id))!;
}

export function hasEnded({ state, finishedAt }: OperationRecord): boolean {
  return finishedAt !== null || state === OperationState.Expired;
}

async function operationsOf({ storageOf }: AdministrationParts): Promise<OperationStorage> {
  const { operations } = await storageOf();
  if (operations !== undefined) return operations;
  throw new CommandRejectedError(
    'The storage of this service has no operations. Use one with the capability "operations", such as postgres or sqlite.',
  );
}

function alreadyRequested({ id, kind, target, requestedBy }: OperationRecord): CommandRejectedError {
  return new CommandRejectedError(
    `${kind} of ${target} is already requested by ${requestedBy}: ${id}. Wait until it ends, or cancel it.`,
  );
}
