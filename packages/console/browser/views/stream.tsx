/** A stream: its events, and the models at any of its positions. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Stream, StreamEvent } from '../../src/contract/index.js';
import { call } from '../api/client.js';
import { useResource } from '../api/resource.js';
import { EndlessTable } from '../parts/endless-table.js';
import { formatted } from '../parts/formats.js';
import { Shown } from '../parts/states.js';
import { Table, type Column } from '../parts/table.js';
import { Count, Id, Link, Text, Time, WholeId } from '../parts/texts.js';
import { Facts, Section, View } from '../parts/view.js';
import { TimeTravel } from './time-travel.js';

type Rewind = Stream['rewinds'][number];
type Snapshot = Stream['snapshots'][number];

const pageSize = 100;

const columns: readonly Column<StreamEvent>[] = [
  { title: 'Position', kind: 'number', cell: ({ position }) => <Count value={position} /> },
  { title: 'Time', kind: 'fit', cell: ({ at }) => <Time value={at} /> },
  {
    title: 'Type',
    cell: ({ id, type }) => (
      <Link to={['events', id]}>
        <Text value={type} />
      </Link>
    ),
  },
  { title: 'User', cell: ({ userId, userName }) => <Text value={userName ?? userId} none="no user" /> },
  { title: 'Origin', cell: ({ origin }) => <Text value={origin?.host} none="this service" /> },
  { title: 'Size', kind: 'number', cell: ({ bytes }) => formatted.bytes(bytes) },
  {
    title: 'Chain',
    kind: 'fit',
    cell: ({ correlationId }) => <Id value={correlationId} to={['chains', correlationId]} />,
  },
];

const rewindColumns: readonly Column<Rewind>[] = [
  { title: 'Started', kind: 'fit', cell: ({ startedAt }) => <Time value={startedAt} /> },
  { title: 'Completed', kind: 'fit', cell: ({ completedAt }) => <Time value={completedAt} /> },
  { title: 'Perspectives', cell: ({ perspectives }) => <Text value={perspectives.join(', ')} /> },
  { title: 'Replayed events', kind: 'number', cell: ({ eventsReplayed }) => <Count value={eventsReplayed} /> },
  {
    title: 'Late event',
    kind: 'fit',
    cell: ({ triggerEventId }) => (
      <Id value={triggerEventId} to={triggerEventId === null ? null : ['events', triggerEventId]} />
    ),
  },
];

const snapshotColumns: readonly Column<Snapshot>[] = [
  { title: 'Of', kind: 'fit', cell: ({ kind }) => kind },
  { title: 'Name', cell: ({ name }) => <Text value={name} /> },
  { title: 'Position', kind: 'number', cell: ({ position }) => <Count value={position} /> },
  { title: 'Event', kind: 'fit', cell: ({ eventId }) => <Id value={eventId} to={['events', eventId]} /> },
];

export function StreamView({ id }: { readonly id: string }): JSX.Element {
  const [order, setOrder] = useState<'newest' | 'oldest'>('newest');
  const stream = useResource(id, (signal) => call('GET /streams/:id', { params: { id }, query: { limit: 1 }, signal }));
  return (
    <View
      heading={id}
      label="Stream"
      actions={
        <Link to={['audit']} query={{ resource: id }} class="button">
          Audit of this stream
        </Link>
      }
    >
      <Shown of={stream}>
        {({ tenantId, length, snapshots, rewinds }) => (
          <>
            <Facts
              of={[
                ['Events', <Count value={length} />],
                ['Tenant', <Text value={tenantId} none="none" />],
                ['Stream', <WholeId value={id} />],
              ]}
            />
            <Section
              heading="Events"
              actions={
                <label class="inline-field">
                  Order{' '}
                  <select
                    value={order}
                    onChange={(event) => setOrder(event.currentTarget.value as 'newest' | 'oldest')}
                  >
                    <option value="newest">Newest first</option>
                    <option value="oldest">Oldest first</option>
                  </select>
                </label>
              }
            >
              <div class="short">
                <EndlessTable<StreamEvent>
                  label="Events of the stream"
                  columns={columns}
                  loadKey={`${id} ${order}`}
                  load={async (after, signal) => {
                    const query = { first: order, limit: pageSize, after };
                    const { events, next } = await call('GET /streams/:id', { params: { id }, query, signal });
                    return { items: events, next: next === null ? null : String(next) };
                  }}
                  keyOf={(event) => event.id}
                  empty="The stream has no events."
                />
              </div>
            </Section>
            {length > 0 && <TimeTravel id={id} length={length} />}
            <Section heading="Snapshots">
              <Table
                label="Snapshots"
                columns={snapshotColumns}
                rows={snapshots}
                keyOf={({ kind, name }) => kind + name}
                empty="No snapshot of this stream is stored. Models are computed from all of its events."
              />
            </Section>
            <Section heading="Rewinds">
              <Table
                label="Rewinds"
                columns={rewindColumns}
                rows={rewinds}
                keyOf={({ startedAt, triggerEventId }) => `${startedAt} ${triggerEventId}`}
                empty="No late event has caused a rewind of this stream."
              />
            </Section>
          </>
        )}
      </Shown>
    </View>
  );
}
