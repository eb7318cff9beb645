/** The schema of the database: what has been migrated, and what is left. */
import type { JSX } from 'preact';
import type { Migration, PendingMigration } from '../../src/contract/index.js';
import { call } from '../api/client.js';
import { useResource } from '../api/resource.js';
import { formatted } from '../parts/formats.js';
import { Empty, Shown } from '../parts/states.js';
import { Status, type Tone } from '../parts/status.js';
import { Table, type Column } from '../parts/table.js';
import { Text, Time } from '../parts/texts.js';
import { Section, View } from '../parts/view.js';

function toneOf(status: string): Tone {
  if (status.startsWith('Failed')) return 'bad';
  if (status === 'MigratingInBackground') return 'info';
  return status === 'Applied' || status === 'Updated' ? 'ok' : 'quiet';
}

/** `MigratingInBackground` as words. */
function wordsOf(status: string): string {
  return status.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}

const phases = { prepare: 'preparing', copy: 'copying', catchUp: 'catching up', replay: 'replaying' } as const;

const columns: readonly Column<Migration>[] = [
  { title: 'Item', cell: ({ key }) => <Text value={key} /> },
  { title: 'Description', kind: 'long', cell: ({ description }) => <Text value={description} /> },
  { title: 'Status', kind: 'fit', cell: ({ status }) => <Status tone={toneOf(status)}>{wordsOf(status)}</Status> },
  {
    title: 'Progress',
    kind: 'long',
    cell: ({ progress, error, failureReason }) => {
      if (progress !== null) return `${phases[progress.phase]}, ${formatted.count(progress.rows, 'row')}`;
      return <Text value={[failureReason, error].filter((text) => text !== null).join(': ')} />;
    },
  },
  { title: 'Applied', kind: 'fit', cell: ({ appliedAt }) => <Time value={appliedAt} /> },
  { title: 'Took', kind: 'number', cell: ({ durationMs }) => formatted.duration(durationMs) },
  { title: 'svc', kind: 'fit', cell: ({ libraryVersion }) => <Text value={libraryVersion} /> },
  { title: 'Roll back', kind: 'fit', cell: ({ canRollBack }) => (canRollBack ? 'possible' : <Text value={null} />) },
];

const actions = {
  apply: 'runs with the next migration',
  rewrite: 'rewrites its table with the next migration',
  refuse: 'cannot be migrated as it is',
} as const;

const pendingColumns: readonly Column<PendingMigration>[] = [
  { title: 'Item', cell: ({ key }) => <Text value={key} /> },
  { title: 'Description', kind: 'long', cell: ({ description }) => <Text value={description} /> },
  {
    title: 'What is left',
    cell: ({ action }) => <Status tone={action === 'refuse' ? 'bad' : 'warn'}>{actions[action]}</Status>,
  },
];

export function MigrationsView(): JSX.Element {
  const list = useResource('migrations', (signal) => call('GET /migrations', { signal }), { everyMs: 5_000 });
  return (
    <View heading="Migrations" lead={'The schema of the database. Run "svc migrate up" to apply what is left.'}>
      <Shown of={list}>
        {({ hasSchema, migrations, pending }) =>
          hasSchema ? (
            <>
              <Section heading="Left to do">
                <Table
                  label="Items that are left"
                  columns={pendingColumns}
                  rows={pending}
                  keyOf={({ key }) => key}
                  empty="Nothing: the schema is current."
                />
              </Section>
              <Section heading="Items">
                <Table
                  label="Items"
                  columns={columns}
                  rows={migrations}
                  keyOf={({ key }) => key}
                  empty="Nothing has been migrated yet."
                />
              </Section>
            </>
          ) : (
            <Empty>The storage of this service has no schema, so it has no migrations.</Empty>
          )
        }
      </Shown>
    </View>
  );
}
