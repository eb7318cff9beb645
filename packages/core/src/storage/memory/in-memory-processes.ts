import type { Uuid } from '../../json/index.js';
import type { InstanceFilter, StorageProcesses } from '../capabilities/processes.js';
import type { ProcessInstanceRecord, ProcessStep } from '../process-record.js';

/** The instances of processes, in memory. */
export class InMemoryProcesses implements StorageProcesses {
  readonly #instances = new Map<Uuid, ProcessInstanceRecord>();

  commit({ streamId, process, tenant, key, at, isIgnored, completes }: ProcessStep): void {
    const { events = 0, ignored = 0, startedAt = at, isCompleted = false } = this.#instances.get(streamId) ?? {};
    this.#instances.set(streamId, {
      streamId,
      process,
      tenant,
      key,
      events: events + (isIgnored ? 0 : 1),
      ignored: ignored + (isIgnored ? 1 : 0),
      startedAt,
      changedAt: at,
      isCompleted: isCompleted || completes,
    });
  }

  readInstances({ isOpen, after }: InstanceFilter, limit: number): Promise<readonly ProcessInstanceRecord[]> {
    const all = [...this.#instances.values()].toSorted(compareStarts);
    const first = after === null ? undefined : this.#instances.get(after);
    if (after !== null && first === undefined) return Promise.resolve([]);
    const found = all.filter(
      (one) => (first === undefined || compareStarts(one, first) > 0) && !(isOpen && one.isCompleted),
    );
    return Promise.resolve(found.slice(0, limit));
  }
}

function compareStarts(a: ProcessInstanceRecord, b: ProcessInstanceRecord): number {
  return a.startedAt - b.startedAt || (a.streamId < b.streamId ? -1 : Number(a.streamId > b.streamId));
}
