import { NotFoundError } from '../dispatch/index.js';
import { instanceStreamId, readInstanceSteps, type InstanceStep } from '../processes/index.js';
import type { Uuid } from '../json/index.js';
import type { ProcessInstanceRecord, Storage } from '../storage/index.js';
import type { AdministrationParts } from './administration-parts.js';
import { authorizeOperatorRead } from './authorize-operator.js';
import { limitOf, listed, type Listed, type Page } from './page.js';

/** Which instances of processes to list. */
export interface ProcessPage extends Page {
  /** Only those that have not completed. Default: all. */
  readonly isOpen?: boolean;
}

/** Which instance of a process to show; `tenant` '' for none. */
export interface ProcessInstanceKey {
  readonly process: string;
  readonly key: string;
  readonly tenant: string;
}

/** A part of the history of an instance. `next` counts its steps. */
export interface ProcessHistory extends Listed<InstanceStep, number> {
  readonly streamId: Uuid;
}

/** The instances of processes in a database, for operators. */
export class ProcessAdministration {
  readonly #parts: AdministrationParts;

  constructor(parts: AdministrationParts) {
    this.#parts = parts;
  }

  /** A page of the instances, in the order of their start. */
  async list(page: ProcessPage = {}): Promise<Listed<ProcessInstanceRecord>> {
    await authorizeOperatorRead(this.#parts.access);
    return await readInstances(await this.#parts.storageOf(), { ...page, limit: limitOf(page) });
  }

  /** A part of the history of an instance, in order. */
  async history({ process, key, tenant }: ProcessInstanceKey, page: Page<number> = {}): Promise<ProcessHistory> {
    await authorizeOperatorRead(this.#parts.access);
    const storage = await this.#parts.storageOf();
    const { after = 0 } = page;
    const limit = limitOf(page);
    const items: InstanceStep[] = [];
    let count = 0;
    let hasMore = false;
    for await (const step of readInstanceSteps(storage, process, tenant, key)) {
      if (items.length === limit) {
        hasMore = true;
        break;
      }
      if (++count > after) items.push(step);
    }
    if (count === 0) throw unknown({ process, key, tenant });
    return { streamId: instanceStreamId(process, tenant, key), items, next: hasMore ? count : null };
  }
}

/** A page of the instances of processes in a storage, in the order of their start. */
export async function readInstances(
  { processes }: Pick<Storage, 'processes'>,
  { isOpen = false, after, limit }: ProcessPage & { readonly limit: number },
): Promise<Listed<ProcessInstanceRecord>> {
  const found = (await processes?.readInstances({ isOpen, after: after ?? null }, limit + 1)) ?? [];
  return listed(found, limit, ({ streamId }) => streamId);
}

function unknown({ process, key, tenant }: ProcessInstanceKey): NotFoundError {
  const ofTenant = tenant === '' ? 'without a tenant' : `of tenant ${tenant}`;
  return new NotFoundError(
    `There is no instance ${key} of the process ${process} ${ofTenant}. List the instances to see keys and tenants.`,
  );
}
