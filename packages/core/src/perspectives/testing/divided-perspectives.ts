import {
  asTables,
  InMemoryPerspectives,
  type ModelTables,
  type PerspectiveCommit,
  type PerspectiveStorage,
  type Progress,
  type TablesRef,
} from '../../storage/index.js';
import { noChanges } from './trial-commits.js';

/** Perspectives of a database that can divide tables: each segment has tables of its own, which are copied when they are made whole. */
export class DividedPerspectives extends InMemoryPerspectives {
  readonly divided = new Map<string, number>();
  readonly commits: PerspectiveCommit[] = [];
  readonly calls: string[] = [];
  readonly segments: NonNullable<PerspectiveStorage['segments']> = {
    divideAfterMs: 0,
    divide: ({ name, role }, _from, count) => {
      this.calls.push(`divide ${role} into ${count}`);
      this.divided.set(name, count);
      return Promise.resolve(true);
    },
    unite: async (tables) => {
      this.calls.push(`unite ${tables.role}`);
      const { segments } = await this.readProgress(tables);
      this.divided.delete(tables.name);
      const from = await super.readProgress(tables);
      const commits = this.commits.filter((commit) => commit.tables?.name.startsWith(`${tables.name}#`));
      const models = [...new Map(commits.flatMap((one) => one.models).map((model) => [model.id, model])).values()];
      const { perspective } = tables;
      super.commitPerspective({ ...noChanges, perspective, tables, from, to: segments![0]!.sequence, models });
      return true;
    },
    readStandings: () => Promise.resolve([]),
  };

  override async readProgress(tables: TablesRef): Promise<Progress> {
    const { name, segment } = asTables(tables);
    if (segment !== undefined) return await super.readProgress(segmentTables(asTables(tables)));
    const count = this.divided.get(name);
    const progress = await super.readProgress(tables);
    if (count === undefined) return progress;
    const all = Array.from({ length: count }, (_, index) => ({ ...asTables(tables), segment: { index, of: count } }));
    const segments = await Promise.all(all.map((one) => this.readProgress(one)));
    return { ...progress, sequence: Math.min(...segments.map(({ sequence }) => sequence)), segments };
  }

  override commitPerspective(commit: PerspectiveCommit): void {
    const { tables } = commit;
    const stored = tables?.segment === undefined ? commit : { ...commit, tables: segmentTables(tables) };
    super.commitPerspective(stored);
    this.commits.push(stored);
  }
}

function segmentTables({ segment, ...tables }: ModelTables): ModelTables {
  // Not tables of a rebuild of their own.
  return { ...tables, role: 'retained', name: `${tables.name}#${segment!.index}` };
}
