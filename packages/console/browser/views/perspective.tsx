/** One perspective: its segments, stopped streams with errors, and what an operator can do. */
import type { JSX } from 'preact';
import type { PerspectiveDetails, PerspectiveSegment, StoppedStream } from '../../src/contract/index.js';
import { call } from '../api/client.js';
import { useResource } from '../api/resource.js';
import { Action } from '../parts/action.js';
import { textIn } from '../parts/form.js';
import { formatted } from '../parts/formats.js';
import { NextPage, usePages } from '../parts/pages.js';
import { Shown } from '../parts/states.js';
import { Table, type Column } from '../parts/table.js';
import { Count, Id, Text, Time } from '../parts/texts.js';
import { Facts, Section, View } from '../parts/view.js';
import { OperationNote } from './operation-note.js';
import { Behind, PerspectiveState } from './perspectives.js';
import { Rebuild } from './rebuild.js';

const segmentColumns: readonly Column<PerspectiveSegment>[] = [
  { title: 'Segment', kind: 'number', cell: ({ segment }) => segment },
  { title: 'State', kind: 'fit', cell: (segment) => <PerspectiveState perspective={segment} /> },
  { title: 'Behind', kind: 'number', cell: ({ behind }) => <Behind value={behind} /> },
  { title: 'Place', kind: 'number', cell: ({ sequence }) => <Count value={sequence} /> },
  { title: 'Hosts', cell: ({ hosts }) => <Text value={hosts.join(', ')} /> },
];

export function PerspectiveView({ name }: { readonly name: string }): JSX.Element {
  const { after, show } = usePages();
  const details = useResource(
    `${name} ${after}`,
    (signal) => call('GET /perspectives/:name', { params: { name }, query: { after }, signal }),
    {
      everyMs: 3_000,
    },
  );
  const changed = (): void => details.reload();
  const isBusy = details.value === null || details.value.perspective.operation !== null;
  const actions = (
    <>
      <Retry
        name={name}
        stream={null}
        isDisabled={isBusy || details.value?.perspective.stopped === 0}
        changed={changed}
      />
      <Rebuild name={name} isDisabled={isBusy} changed={changed} />
    </>
  );
  return (
    <View heading={name} label="Perspective" actions={actions}>
      <Shown of={details}>{(value) => <Details details={value} changed={changed} show={show} />}</Shown>
    </View>
  );
}

interface DetailsProps {
  readonly details: PerspectiveDetails;
  readonly changed: () => void;
  readonly show: (after: string | null) => void;
}

function Details({
  details: { perspective, segments, stoppedStreams, next },
  changed,
  show,
}: DetailsProps): JSX.Element {
  const { name, operation } = perspective;
  return (
    <>
      {operation !== null && <OperationNote operation={operation} changed={changed} />}
      <Facts
        of={[
          ['State', <PerspectiveState perspective={perspective} />],
          ['Behind', <Behind value={perspective.behind} />],
          ['Oldest waiting event', <Time value={perspective.oldestWaiting} />],
          [
            'Rate',
            perspective.eventsPerSecond === null
              ? 'It does not lag'
              : `${formatted.rate(perspective.eventsPerSecond)} events/s`,
          ],
          ['Place in the log', <Count value={perspective.sequence} />],
          ['Version', <Text value={perspective.version} />],
          ['Indexed properties', <Text value={perspective.indexed.join(', ')} none="none" />],
          ['Hosts', <Text value={perspective.hosts.join(', ')} none="none" />],
        ]}
      />
      <Section heading="Stopped streams">
        <Table
          label="Stopped streams"
          columns={stoppedColumns(name, changed, operation !== null)}
          rows={stoppedStreams}
          keyOf={({ streamId }) => streamId}
          empty="No stream is stopped. A stream stops when the perspective fails at one of its events; other streams continue."
        />
        <NextPage next={next} show={show} />
      </Section>
      {segments.length > 0 && (
        <Section heading="Segments">
          <Table
            label="Segments"
            columns={segmentColumns}
            rows={segments}
            keyOf={({ segment }) => String(segment)}
            empty=""
          />
        </Section>
      )}
    </>
  );
}

function stoppedColumns(name: string, changed: () => void, isDisabled: boolean): readonly Column<StoppedStream>[] {
  return [
    { title: 'Stream', kind: 'fit', cell: ({ streamId }) => <Id value={streamId} to={['streams', streamId]} /> },
    { title: 'Position', kind: 'number', cell: ({ position }) => <Count value={position} /> },
    { title: 'Event', kind: 'fit', cell: ({ eventId }) => <Id value={eventId} to={['events', eventId]} /> },
    {
      title: 'Error',
      kind: 'long',
      cell: ({ errorName, errorMessage }) => <Text value={`${errorName}: ${errorMessage}`} />,
    },
    {
      title: 'Actions',
      kind: 'fit',
      cell: ({ streamId }) => <Retry name={name} stream={streamId} isDisabled={isDisabled} changed={changed} />,
    },
  ];
}

interface RetryProps {
  readonly name: string;
  /** Null: all stopped streams. */
  readonly stream: string | null;
  readonly isDisabled: boolean;
  readonly changed: () => void;
}

function Retry({ name, stream, isDisabled, changed }: RetryProps): JSX.Element {
  return (
    <Action
      label={stream === null ? 'Retry all' : 'Retry'}
      question={stream === null ? `Retry all stopped streams of ${name}?` : `Retry a stopped stream of ${name}?`}
      consequence={
        <p>
          The perspective processes the failed event again. If it fails again, the stream stays stopped. Deploy a fix
          first.
        </p>
      }
      isDisabled={isDisabled}
      run={async (form) => {
        const body = { reason: textIn(form, 'reason'), ...(stream !== null && { stream }) };
        await call('POST /perspectives/:name/retry', { params: { name }, body });
        changed();
        return `Requested a retry of ${name}.`;
      }}
    />
  );
}
