import { CommandRejectedError, NotFoundError } from '../dispatch/index.js';
import type { Uuid } from '../json/index.js';
import { OperatorActionKind } from '../operations/index.js';
import { reactionHolders, reactionLanes } from '../reactions/index.js';
import {
  leasesOf,
  type FailedStreamRecord,
  type ReactionStanding,
  type Storage,
  type StorageReactions,
} from '../storage/index.js';
import type { AdministrationParts } from './administration-parts.js';
import { authorizeOperatorRead, authorizeOperatorWrite } from './authorize-operator.js';
import { mostCounted } from './measured-standings.js';
import { limitOf, listed, type Listed, type Page } from './page.js';
import { recordedChange } from './recorded-change.js';

/** A reaction: its place and lag, its failed streams, and its hosts. */
export interface ReactionState extends ReactionStanding {
  readonly hosts: readonly string[];
}

/** The reactions of a database, for operators. */
export class ReactionAdministration {
  readonly #parts: AdministrationParts;

  constructor(parts: AdministrationParts) {
    this.#parts = parts;
  }

  async list(): Promise<readonly ReactionState[]> {
    await authorizeOperatorRead(this.#parts.access);
    return await this.#read();
  }

  /** A reaction, and a page of its failed streams in the order of their ids. */
  async find(
    name: string,
    page: Page = {},
  ): Promise<{ readonly reaction: ReactionState; readonly failed: Listed<FailedStreamRecord> }> {
    await authorizeOperatorRead(this.#parts.access);
    const reaction = await this.#known(name);
    const limit = limitOf(page);
    const reactions = await this.#reactionsOf(name);
    const found = await reactions.readFailed(name, page.after ?? null, limit + 1);
    return { reaction, failed: listed(found, limit, ({ streamId }) => streamId) };
  }

  /** Retries a failed stream now; null: all of them. Resolves with their number. */
  async retry(name: string, stream: Uuid | null, reason: string): Promise<number> {
    const operator = await authorizeOperatorWrite(this.#parts.access);
    await this.#known(name);
    const reactions = await this.#reactionsOf(name);
    const given = stream === null ? {} : { stream };
    const action = { kind: OperatorActionKind.RetryReaction, target: name, arguments: given };
    return await recordedChange(this.#parts, { operator, reason }, action, async () => {
      const retried = await reactions.retry(name, stream);
      if (retried === 0 && stream !== null) throw notFailed(name, stream);
      return retried;
    });
  }

  /** Skips the event at which a stream failed: it continues with the next one. */
  async skip(name: string, stream: Uuid, reason: string): Promise<void> {
    const operator = await authorizeOperatorWrite(this.#parts.access);
    await this.#known(name);
    const reactions = await this.#reactionsOf(name);
    const action = { kind: OperatorActionKind.SkipReaction, target: name, arguments: { stream } };
    await recordedChange(this.#parts, { operator, reason }, action, async () => {
      if (!(await reactions.skip(name, stream))) throw notFailed(name, stream);
    });
  }

  pause(name: string, reason: string): Promise<void> {
    return this.#setPaused(name, true, reason);
  }

  resume(name: string, reason: string): Promise<void> {
    return this.#setPaused(name, false, reason);
  }

  async #setPaused(name: string, isPaused: boolean, reason: string): Promise<void> {
    const operator = await authorizeOperatorWrite(this.#parts.access);
    await this.#known(name);
    const reactions = await this.#reactionsOf(name);
    const kind = isPaused ? OperatorActionKind.PauseReaction : OperatorActionKind.ResumeReaction;
    const action = { kind, target: name, arguments: {} };
    await recordedChange(this.#parts, { operator, reason }, action, () => reactions.setPaused(name, isPaused));
  }

  async #read(): Promise<readonly ReactionState[]> {
    return await readReactions(await this.#parts.storageOf());
  }

  async #known(name: string): Promise<ReactionState> {
    const found = (await this.#read()).find((one) => one.name === name);
    if (found === undefined) throw unknown(name);
    return found;
  }

  async #reactionsOf(name: string): Promise<StorageReactions> {
    const { reactions } = await this.#parts.storageOf();
    if (reactions === undefined) throw unknown(name);
    return reactions;
  }
}

/** The reactions of a storage. Waiting events are counted up to `mostCounted`. */
export async function readReactions(storage: Storage): Promise<readonly ReactionState[]> {
  const holders = reactionHolders(await leasesOf(storage).readHeld(reactionLanes));
  const standings = (await storage.reactions?.readStandings(mostCounted)) ?? [];
  return standings.map((standing) => Object.assign({ hosts: holders.get(standing.name) ?? [] }, standing));
}

function unknown(name: string): NotFoundError {
  return new NotFoundError(`There is no reaction ${name}. List the reactions to see their names.`);
}

function notFailed(name: string, stream: Uuid): CommandRejectedError {
  return new CommandRejectedError(`${name} has not failed at stream ${stream}. Its failed streams may have changed.`);
}
