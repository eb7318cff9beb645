/** Instances of processes, and what one of them did. */
import type { JSX } from 'preact';
import type { ProcessAction, ProcessInstance, ProcessStep } from '../../src/contract/index.js';
import { call } from '../api/client.js';
import { useResource } from '../api/resource.js';
import { EndlessTable } from '../parts/endless-table.js';
import { formatted } from '../parts/formats.js';
import { NextPage, usePages } from '../parts/pages.js';
import { Shown } from '../parts/states.js';
import { Status } from '../parts/status.js';
import { Table, type Column } from '../parts/table.js';
import { Count, Id, Link, Text, Time, WholeId } from '../parts/texts.js';
import { Facts, Section, View } from '../parts/view.js';
import { place, setQuery } from '../shell/router.js';

const columns: readonly Column<ProcessInstance>[] = [
  {
    title: 'Process',
    cell: ({ process, key, tenant }) => (
      <Link to={['processes', process, key]} query={{ tenant }}>
        <Text value={`${process} ${key}`} />
      </Link>
    ),
  },
  {
    title: 'State',
    kind: 'fit',
    cell: ({ state }) => <Status tone={state === 'open' ? 'info' : 'quiet'}>{state}</Status>,
  },
  { title: 'Started', kind: 'fit', cell: ({ startedAt }) => <Time value={startedAt} /> },
  { title: 'Last event', kind: 'fit', cell: ({ lastEventAt }) => <Time value={lastEventAt} /> },
  { title: 'Events', kind: 'number', cell: ({ events }) => <Count value={events} /> },
  { title: 'Tenant', cell: ({ tenant }) => <Text value={tenant} /> },
  { title: 'Stream', kind: 'fit', cell: ({ streamId }) => <Id value={streamId} to={['streams', streamId]} /> },
];

export function ProcessesView(): JSX.Element {
  const isAll = place.value.query.get('all') === 'true';
  return (
    <View
      heading="Processes"
      lead="Instances of processes, in the order of their start."
      actions={
        <label class="check">
          <input type="checkbox" checked={isAll} onChange={(event) => setQuery({ all: event.currentTarget.checked })} />
          <span>Include completed</span>
        </label>
      }
    >
      <EndlessTable<ProcessInstance>
        label="Instances of processes"
        columns={columns}
        loadKey={String(isAll)}
        load={async (after, signal) => {
          const { instances, next } = await call('GET /processes', {
            query: { open: isAll ? null : true, after, limit: 100 },
            signal,
          });
          return { items: instances, next };
        }}
        keyOf={({ streamId }) => streamId}
        empty={isAll ? 'No process has started.' : 'No instance is open. Include completed ones to see earlier work.'}
      />
    </View>
  );
}

const stepColumns: readonly Column<ProcessStep>[] = [
  { title: 'Time', kind: 'fit', cell: ({ at }) => <Time value={at} /> },
  {
    title: 'Step',
    kind: 'fit',
    cell: ({ kind }) => (
      <Status tone={kind === 'ignored' ? 'warn' : kind === 'completed' ? 'ok' : 'info'}>{kind}</Status>
    ),
  },
  {
    title: 'Event',
    cell: ({ event }) =>
      event === null ? (
        <Text value={null} />
      ) : (
        <Link to={['events', event.id]}>
          <Text value={event.type} />
        </Link>
      ),
  },
  {
    title: 'What it did',
    kind: 'long',
    cell: ({ actions }) =>
      actions.length === 0 ? (
        <Text value={null} none="nothing" />
      ) : (
        <ul class="plain">
          {actions.map((action, index) => (
            <li key={index}>
              <ActionText action={action} />
            </li>
          ))}
        </ul>
      ),
  },
  {
    title: 'Chain',
    kind: 'fit',
    cell: ({ correlationId }) => <Id value={correlationId} to={['chains', correlationId]} />,
  },
];

const verbs: Readonly<Record<ProcessAction['kind'], string>> = {
  appended: 'appended',
  invoked: 'ran',
  sent: 'sent',
  scheduled: 'scheduled',
  timeoutSet: 'set the timeout',
  timeoutCancelled: 'cancelled the timeout',
};

function ActionText({
  action: { kind, type, name, streamId, dueAt, dueAfterMs },
}: {
  readonly action: ProcessAction;
}): JSX.Element {
  return (
    <>
      {verbs[kind]} <Text value={type ?? name} none="" />
      {streamId !== undefined && (
        <>
          {' '}
          on <Id value={streamId} to={['streams', streamId]} />
        </>
      )}
      {dueAt !== undefined && (
        <>
          {' '}
          for <Time value={dueAt} />
        </>
      )}
      {dueAfterMs !== undefined && ` in ${formatted.duration(dueAfterMs)}`}
    </>
  );
}

export function ProcessView({
  process,
  instance,
}: {
  readonly process: string;
  readonly instance: string;
}): JSX.Element {
  const tenant = place.value.query.get('tenant');
  const { after, show } = usePages();
  const history = useResource(`${process} ${instance} ${tenant} ${after}`, (signal) =>
    call('GET /processes/:process/:key', { params: { process, key: instance }, query: { tenant, after }, signal }),
  );
  return (
    <View heading={instance} label={`Process ${process}`}>
      <Shown of={history}>
        {({ streamId, tenant: shown, steps, next }) => (
          <>
            <Facts
              of={[
                ['Stream of the instance', <WholeId value={streamId} to={['streams', streamId]} />],
                ['Tenant', <Text value={shown} none="none" />],
              ]}
            />
            <Section heading="History">
              <Table
                label="History"
                columns={stepColumns}
                rows={steps}
                keyOf={({ at, kind, event }) => `${at} ${kind} ${event?.id}`}
                empty="This instance has processed no event."
              />
              <NextPage next={next} show={show} />
            </Section>
          </>
        )}
      </Shown>
    </View>
  );
}
