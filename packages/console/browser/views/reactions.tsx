/** The reactions: how far they are, failed streams, and pause, resume, retry and skip. */
import type { JSX } from 'preact';
import type { FailedStream, ReactionSummary } from '../../src/contract/index.js';
import { call } from '../api/client.js';
import { useResource } from '../api/resource.js';
import { formatted } from '../parts/formats.js';
import { NextPage, usePages } from '../parts/pages.js';
import { Shown } from '../parts/states.js';
import { Status } from '../parts/status.js';
import { Table, type Column } from '../parts/table.js';
import { Count, Id, Link, Text, Time } from '../parts/texts.js';
import { Facts, Section, View } from '../parts/view.js';
import { Behind } from './perspectives.js';
import { PauseReaction, RetryReaction, SkipEvent } from './reaction-actions.js';

function ReactionState({ reaction }: { readonly reaction: ReactionSummary }): JSX.Element {
  if (reaction.isPaused) return <Status tone="warn">paused</Status>;
  if (reaction.parked > 0) return <Status tone="bad">{`${formatted.number(reaction.parked)} parked`}</Status>;
  if (reaction.waiting > 0) return <Status tone="warn">{`${formatted.number(reaction.waiting)} retrying`}</Status>;
  return reaction.behind > 0 ? <Status tone="info">catching up</Status> : <Status tone="ok">current</Status>;
}

const columns: readonly Column<ReactionSummary>[] = [
  {
    title: 'Reaction',
    cell: ({ name }) => (
      <Link to={['reactions', name]}>
        <Text value={name} />
      </Link>
    ),
  },
  { title: 'State', kind: 'fit', cell: (reaction) => <ReactionState reaction={reaction} /> },
  { title: 'Behind', kind: 'number', cell: ({ behind }) => <Behind value={behind} /> },
  { title: 'Oldest waiting', kind: 'fit', cell: ({ oldestWaiting }) => <Time value={oldestWaiting} isRelative /> },
  { title: 'Retrying', kind: 'number', cell: ({ waiting }) => <Count value={waiting} /> },
  { title: 'Parked', kind: 'number', cell: ({ parked }) => <Count value={parked} /> },
  { title: 'Place', kind: 'number', cell: ({ sequence }) => <Count value={sequence} /> },
];

export function ReactionsView(): JSX.Element {
  const list = useResource('reactions', (signal) => call('GET /reactions', { signal }), { everyMs: 3_000 });
  return (
    <View
      heading="Reactions"
      lead="Processes and handlers that act on events: they send messages, call other services, run commands."
    >
      <Shown of={list}>
        {({ reactions }) => (
          <Table
            label="Reactions"
            columns={columns}
            rows={reactions}
            keyOf={({ name }) => name}
            empty="The service has no reactions, or none has started yet."
          />
        )}
      </Shown>
    </View>
  );
}

function failedColumns(name: string, changed: () => void): readonly Column<FailedStream>[] {
  return [
    { title: 'Stream', kind: 'fit', cell: ({ streamId }) => <Id value={streamId} to={['streams', streamId]} /> },
    { title: 'Event', kind: 'fit', cell: ({ eventId }) => <Id value={eventId} to={['events', eventId]} /> },
    { title: 'Attempts', kind: 'number', cell: ({ attempts }) => <Count value={attempts} /> },
    {
      title: 'Next attempt',
      kind: 'fit',
      cell: ({ retryInMs }) =>
        retryInMs === null ? <Status tone="bad">parked</Status> : `in ${formatted.duration(Math.max(0, retryInMs))}`,
    },
    {
      title: 'Error',
      kind: 'long',
      cell: ({ errorName, errorMessage }) => <Text value={`${errorName}: ${errorMessage}`} />,
    },
    {
      title: 'Actions',
      kind: 'fit',
      cell: ({ streamId, eventId }) => (
        <div class="actions">
          <RetryReaction name={name} stream={streamId} isDisabled={false} changed={changed} />
          <SkipEvent name={name} stream={streamId} event={eventId} changed={changed} />
        </div>
      ),
    },
  ];
}

export function ReactionView({ name }: { readonly name: string }): JSX.Element {
  const { after, show } = usePages();
  const details = useResource(
    `${name} ${after}`,
    (signal) => call('GET /reactions/:name', { params: { name }, query: { after }, signal }),
    {
      everyMs: 3_000,
    },
  );
  const changed = (): void => details.reload();
  const reaction = details.value?.reaction;
  const actions = reaction !== undefined && (
    <>
      <RetryReaction
        name={name}
        stream={null}
        isDisabled={reaction.waiting + reaction.parked === 0}
        changed={changed}
      />
      <PauseReaction name={name} isPaused={reaction.isPaused} changed={changed} />
    </>
  );
  return (
    <View heading={name} label="Reaction" actions={actions}>
      <Shown of={details}>
        {({ reaction: shown, failedStreams, next }) => (
          <>
            <Facts
              of={[
                ['State', <ReactionState reaction={shown} />],
                ['Behind', <Behind value={shown.behind} />],
                ['Oldest waiting event', <Time value={shown.oldestWaiting} />],
                ['Place in the log', <Count value={shown.sequence} />],
                ['Started', <Time value={shown.startedAt} />],
                ['Hosts', <Text value={shown.hosts.join(', ')} none="none" />],
              ]}
            />
            <Section heading="Failed streams">
              <Table
                label="Failed streams"
                columns={failedColumns(name, changed)}
                rows={failedStreams}
                keyOf={({ streamId }) => streamId}
                empty="No stream has failed. When the reaction fails at an event, later events of that stream wait; other streams continue."
              />
              <NextPage next={next} show={show} />
            </Section>
          </>
        )}
      </Shown>
    </View>
  );
}
