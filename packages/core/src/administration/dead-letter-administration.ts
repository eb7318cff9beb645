import { NotFoundError } from '../dispatch/index.js';
import type { Uuid } from '../json/index.js';
import { errorText, OperationKind, OperatorActionKind, type OperatorAction } from '../operations/index.js';
import { permission } from '../security/index.js';
import {
  StorageUnavailableError,
  type DeadLetterCause,
  type DeadLetterRecord,
  type OperationRecord,
} from '../storage/index.js';
import type { AdministrationParts } from './administration-parts.js';
import { authorizeOperatorWrite, operatorOf } from './authorize-operator.js';
import { requestOperation } from './operation-administration.js';
import { limitOf, listed, type Listed, type Page } from './page.js';
import { recordedChange } from './recorded-change.js';

/** Which dead letters to list. */
export interface DeadLetterFilter {
  /** Default: any direction. */
  readonly direction?: DeadLetterRecord['direction'];
  /** Default: any cause. */
  readonly cause?: DeadLetterCause;
}

/** What became of dead letters that an operator named. */
export interface ChangedLetters {
  readonly changed: number;
  readonly failed: readonly { readonly id: Uuid; readonly error: string }[];
}

/** The dead letters of a database, for operators. An actor that reaches one tenant sees and changes those of that tenant. */
export class DeadLetterAdministration {
  readonly #parts: AdministrationParts;

  constructor(parts: AdministrationParts) {
    this.#parts = parts;
  }

  /** A page of the dead letters, the oldest first. */
  async list(page: Page & DeadLetterFilter = {}): Promise<Listed<DeadLetterRecord>> {
    const limit = limitOf(page);
    const found = await this.#parts.deadLetters.list({ ...page, limit: limit + 1 });
    return listed(found, limit, ({ id }) => id);
  }

  /** A dead letter with its body. Records that the actor has seen it. */
  async show(id: Uuid): Promise<DeadLetterRecord> {
    const { access, deadLetters } = this.#parts;
    const letter = await deadLetters.find(id);
    if (letter === null) throw unknown(id);
    const { actor } = access;
    if (actor !== null)
      await access.recordGrant(actor, { requires: systemRead, resourceType: 'dead-letter', resourceId: id });
    return letter;
  }

  /** Replays dead letters, one after another. One that fails does not stop the others. */
  async replay(ids: readonly Uuid[], reason?: string): Promise<ChangedLetters> {
    const { deadLetters } = this.#parts;
    const action = { kind: OperationKind.ReplayDeadLetters, target: null, arguments: { ids } };
    return await this.#recorded(action, reason, () => each(ids, (id) => deadLetters.replay(id, reason)));
  }

  /** Requests the replay of all dead letters of a direction and a cause, of all tenants. */
  async replayAll(filter: DeadLetterFilter, reason?: string): Promise<OperationRecord> {
    return await this.#request(OperationKind.ReplayDeadLetters, filter, reason);
  }

  /** Discards dead letters, one after another. */
  async discard(ids: readonly Uuid[], reason: string): Promise<ChangedLetters> {
    const { deadLetters } = this.#parts;
    const action = { kind: OperationKind.DiscardDeadLetter, target: null, arguments: { ids } };
    return await this.#recorded(action, reason, () => each(ids, (id) => deadLetters.discard(id, reason)));
  }

  /** Requests that all dead letters with a cause are discarded, of all tenants. */
  async discardAll(cause: DeadLetterCause, reason: string): Promise<OperationRecord> {
    return await this.#request(OperationKind.DiscardDeadLetter, { cause }, reason);
  }

  /** Replays a dead letter with another body: `DeadLetters.edit`. Resolves with the id of the new message. */
  async edit(id: Uuid, body: string, reason: string): Promise<Uuid> {
    const { deadLetters } = this.#parts;
    const action = { kind: OperatorActionKind.EditDeadLetter, target: null, arguments: { deadLetter: id } };
    return await this.#recorded(action, reason, () => deadLetters.edit(id, body, reason));
  }

  async #recorded<T>(
    action: Omit<OperatorAction, 'requestedBy'>,
    reason: string | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    const { access } = this.#parts;
    await access.authorizeSystemWrite();
    return await recordedChange(
      this.#parts,
      { operator: operatorOf(access), ...(reason !== undefined && { reason }) },
      action,
      work,
    );
  }

  async #request(kind: OperationKind, filter: DeadLetterFilter, reason: string | undefined): Promise<OperationRecord> {
    const operator = await authorizeOperatorWrite(this.#parts.access);
    return await requestOperation(
      this.#parts,
      { operator, ...(reason !== undefined && { reason }) },
      { kind, target: null, arguments: { ...filter }, isAlone: false },
    );
  }
}

const systemRead = permission('system:read');

async function each(ids: readonly Uuid[], change: (id: Uuid) => Promise<void>): Promise<ChangedLetters> {
  const failed: { id: Uuid; error: string }[] = [];
  for (const id of ids) {
    try {
      await change(id);
    } catch (error) {
      if (error instanceof StorageUnavailableError) throw error;
      failed.push({ id, error: errorText(error) });
    }
  }
  return { changed: ids.length - failed.length, failed };
}

function unknown(id: Uuid): NotFoundError {
  return new NotFoundError(`There is no dead letter ${id}. It may have been replayed or discarded.`);
}
