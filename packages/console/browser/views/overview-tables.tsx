/** The tables of the overview: checks, lag, hosts, seals. */
import type { JSX } from 'preact';
import type { Overview, OverviewCheck, OverviewHost } from '../../src/contract/index.js';
import { formatted } from '../parts/formats.js';
import { Empty } from '../parts/states.js';
import { Status } from '../parts/status.js';
import { Table, type Column } from '../parts/table.js';
import { Count, Link, Text, Time } from '../parts/texts.js';
import { Facts } from '../parts/view.js';
import { healthTones } from './health-tones.js';

interface Props {
  readonly overview: Overview;
}

const checkColumns: readonly Column<OverviewCheck>[] = [
  { title: 'Check', cell: ({ name }) => <Text value={name} /> },
  { title: 'Status', kind: 'fit', cell: ({ status }) => <Status tone={healthTones[status]}>{status}</Status> },
  { title: 'Description', kind: 'long', cell: ({ description }) => <Text value={description} /> },
  {
    title: 'Data',
    kind: 'long',
    cell: ({ data }) => (
      <Text
        value={Object.entries(data)
          .map(([name, value]) => `${name}: ${String(value)}`)
          .join(', ')}
      />
    ),
  },
  { title: 'Took', kind: 'number', cell: ({ durationMs }) => formatted.duration(durationMs) },
];

export function Checks({ overview }: Props): JSX.Element {
  return (
    <Table
      label="Health checks"
      columns={checkColumns}
      rows={overview.checks}
      keyOf={({ name }) => name}
      empty="The service has no health checks."
    />
  );
}

interface Lag {
  readonly kind: string;
  readonly name: string;
  readonly place: readonly string[] | null;
  readonly behind: number;
  readonly oldest: string | null;
  readonly trouble: string | null;
}

function lagsOf({ perspectives, reactions, outbox }: Overview): readonly Lag[] {
  return [
    ...perspectives.map(({ name, behind, oldest, stopped }) => ({
      kind: 'perspective',
      name,
      place: ['perspectives', name],
      behind,
      oldest,
      trouble: stopped > 0 ? `${formatted.number(stopped)} stopped` : null,
    })),
    ...reactions.map(({ name, behind, oldest, isPaused, waiting, parked }) => ({
      kind: 'reaction',
      name,
      place: ['reactions', name],
      behind,
      oldest,
      trouble: isPaused
        ? 'paused'
        : parked > 0
          ? `${formatted.number(parked)} parked`
          : waiting > 0
            ? `${formatted.number(waiting)} retrying`
            : null,
    })),
    ...outbox.map(({ lane, waiting, oldest }) => ({
      kind: 'outbox',
      name: lane,
      place: null,
      behind: waiting,
      oldest,
      trouble: null,
    })),
  ];
}

export function Lags({ overview }: Props): JSX.Element {
  const columns: readonly Column<Lag>[] = [
    { title: 'Kind', kind: 'fit', cell: ({ kind }) => kind },
    {
      title: 'Name',
      cell: ({ name, place }) =>
        place === null ? (
          <Text value={name} />
        ) : (
          <Link to={place}>
            <Text value={name} />
          </Link>
        ),
    },
    {
      title: 'State',
      kind: 'fit',
      cell: ({ trouble, behind }) =>
        trouble === null ? (
          <Status tone={behind > 0 ? 'info' : 'ok'}>{behind > 0 ? 'catching up' : 'current'}</Status>
        ) : (
          <Status tone="bad">{trouble}</Status>
        ),
    },
    {
      title: 'Waiting',
      kind: 'number',
      cell: ({ behind }) =>
        behind >= overview.countLimit ? `${formatted.number(overview.countLimit)} or more` : formatted.number(behind),
    },
    { title: 'Oldest', kind: 'fit', cell: ({ oldest }) => <Time value={oldest} isRelative /> },
  ];
  return (
    <Table
      label="Lag"
      columns={columns}
      rows={lagsOf(overview)}
      keyOf={({ kind, name }) => kind + name}
      empty="The service has no perspectives, reactions or outbox."
    />
  );
}

const hostColumns: readonly Column<OverviewHost>[] = [
  {
    title: 'Host',
    cell: ({ id, process, isThis }) => (
      <>
        <Text value={process ?? id} /> {isThis && <Status tone="info">this host</Status>}
      </>
    ),
  },
  { title: 'Version', cell: ({ version }) => <Text value={version} none="not known" /> },
  { title: 'svc', cell: ({ svcVersion }) => <Text value={svcVersion} none="not known" /> },
  { title: 'Started', kind: 'fit', cell: ({ startedAt }) => <Time value={startedAt} isRelative /> },
  { title: 'Seen', kind: 'fit', cell: ({ seenAt }) => <Time value={seenAt} isRelative /> },
  {
    title: 'Leases',
    cell: ({ leases, leaseCount }) =>
      leaseCount === 0 ? (
        <Text value={null} none="none" />
      ) : (
        <details>
          <summary>{formatted.count(leaseCount, 'lease')}</summary>
          <ul class="plain">
            {leases.map(({ lane, expiresInMs }) => (
              <li key={lane}>
                <Text value={lane} />{' '}
                <span class="none">expires in {formatted.duration(Math.max(0, expiresInMs))}</span>
              </li>
            ))}
          </ul>
        </details>
      ),
  },
];

export function Hosts({ overview }: Props): JSX.Element {
  return (
    <Table
      label="Hosts"
      columns={hostColumns}
      rows={overview.hosts}
      keyOf={({ id }) => id}
      empty="No host has recorded its activity yet."
    />
  );
}

export function Seals({ overview: { seals } }: Props): JSX.Element {
  if (seals === null)
    return <Empty>The log is not sealed. With addSeals, later changes of the log can be proven.</Empty>;
  return (
    <Facts
      of={[
        ['State', seals.failure === null ? <Status tone="ok">sealing</Status> : <Status tone="bad">failing</Status>],
        ['Last checkpoint', <Count value={seals.checkpoint} />],
        ['Sealed events', <Count value={seals.events} />],
        ['Sealed', <Time value={seals.sealedAt} isRelative />],
        ...(seals.failure === null ? [] : [['Failure', <Text value={seals.failure} />] as const]),
        ...seals.anchors.map(
          ({ name, anchored, failure }) =>
            [
              `Anchor ${name}`,
              failure === null ? (
                <>
                  checkpoint <Count value={anchored} />
                </>
              ) : (
                <Text value={failure} />
              ),
            ] as const,
        ),
      ]}
    />
  );
}
