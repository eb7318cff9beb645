/** The perspectives: how far they are, and which of them need an operator. */
import type { JSX } from 'preact';
import type { PerspectiveSummary } from '../../src/contract/index.js';
import { call } from '../api/client.js';
import { useResource } from '../api/resource.js';
import { formatted } from '../parts/formats.js';
import { Shown } from '../parts/states.js';
import { Status } from '../parts/status.js';
import { Table, type Column } from '../parts/table.js';
import { Count, Link, Text, Time } from '../parts/texts.js';
import { View } from '../parts/view.js';
import { OperationProgress, OperationStatus } from './operation-note.js';

/** The service counts events up to here. */
const countLimit = 10_000;

export function Behind({ value }: { readonly value: number }): JSX.Element {
  return (
    <span class="count">
      {value >= countLimit ? `${formatted.number(countLimit)} or more` : formatted.number(value)}
    </span>
  );
}

export function PerspectiveState({
  perspective,
}: {
  readonly perspective: Pick<PerspectiveSummary, 'stopped' | 'behind'>;
}): JSX.Element {
  if (perspective.stopped > 0) return <Status tone="bad">{`${formatted.number(perspective.stopped)} stopped`}</Status>;
  return perspective.behind > 0 ? <Status tone="info">catching up</Status> : <Status tone="ok">current</Status>;
}

const columns: readonly Column<PerspectiveSummary>[] = [
  {
    title: 'Perspective',
    cell: ({ name }) => (
      <Link to={['perspectives', name]}>
        <Text value={name} />
      </Link>
    ),
  },
  { title: 'State', kind: 'fit', cell: (perspective) => <PerspectiveState perspective={perspective} /> },
  { title: 'Behind', kind: 'number', cell: ({ behind }) => <Behind value={behind} /> },
  { title: 'Oldest waiting', kind: 'fit', cell: ({ oldestWaiting }) => <Time value={oldestWaiting} isRelative /> },
  {
    title: 'Events/s',
    kind: 'number',
    cell: ({ eventsPerSecond }) => (eventsPerSecond === null ? <Text value={null} /> : formatted.rate(eventsPerSecond)),
  },
  { title: 'Place', kind: 'number', cell: ({ sequence }) => <Count value={sequence} /> },
  {
    title: 'Operation',
    cell: ({ operation }) =>
      operation === null ? (
        <Text value={null} />
      ) : (
        <>
          <OperationStatus operation={operation} /> <OperationProgress operation={operation} />
        </>
      ),
  },
];

export function PerspectivesView(): JSX.Element {
  const list = useResource('perspectives', (signal) => call('GET /perspectives', { signal }), { everyMs: 3_000 });
  return (
    <View heading="Perspectives" lead="Read models that the service builds from events.">
      <Shown of={list}>
        {({ perspectives }) => (
          <Table
            label="Perspectives"
            columns={columns}
            rows={perspectives}
            keyOf={({ name }) => name}
            empty="The service has no perspectives. Add one with a class that has the decorator @perspective."
          />
        )}
      </Shown>
    </View>
  );
}
