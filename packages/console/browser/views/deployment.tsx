/** The versions that run, and how commands are split between them. */
import type { JSX } from 'preact';
import type { DeployedVersion } from '../../src/contract/index.js';
import { call } from '../api/client.js';
import { useResource } from '../api/resource.js';
import { formatted } from '../parts/formats.js';
import { Shown } from '../parts/states.js';
import { Table, type Column } from '../parts/table.js';
import { Count, Text, Time } from '../parts/texts.js';
import { View } from '../parts/view.js';

function percent(share: number): string {
  return `${Math.round(share * 1_000) / 10} %`;
}

const columns: readonly Column<DeployedVersion>[] = [
  { title: 'Version', cell: ({ version }) => <Text value={version} none="not known" /> },
  {
    title: 'Share of commands',
    cell: ({ version, share }) => (
      <span class="progress">
        <progress aria-label={`Share of ${version ?? 'the unknown version'}`} max={1} value={share} />
        <span class="count">{percent(share)}</span>
      </span>
    ),
  },
  { title: 'Hosts', kind: 'number', cell: ({ hosts }) => <Count value={hosts} /> },
  { title: 'Since', kind: 'fit', cell: ({ since }) => <Time value={since} /> },
  { title: 'Commands/s', kind: 'number', cell: ({ commandsPerSecond }) => formatted.rate(commandsPerSecond) },
  { title: 'Failed/s', kind: 'number', cell: ({ failedPerSecond }) => formatted.rate(failedPerSecond) },
  { title: 'Rejected/s', kind: 'number', cell: ({ rejectedPerSecond }) => formatted.rate(rejectedPerSecond) },
  {
    title: 'p99',
    kind: 'number',
    cell: ({ p99Ms }) => (p99Ms === null ? <Text value={null} /> : formatted.duration(p99Ms)),
  },
];

export function DeploymentView(): JSX.Element {
  const deployment = useResource('deployment', (signal) => call('GET /deployment', { signal }), { everyMs: 5_000 });
  return (
    <View
      heading="Deployment"
      lead="The versions of the service that run, and their measured share of the commands: the current canary split."
    >
      <Shown of={deployment}>
        {({ versions, minutes }) => (
          <>
            <Table
              label="Versions"
              columns={columns}
              rows={versions}
              keyOf={({ version }) => version ?? ''}
              empty="No host has recorded its activity yet. The first numbers appear within a minute."
            />
            <p class="note">Measured in the last {formatted.count(minutes, 'minute')}.</p>
          </>
        )}
      </Shown>
    </View>
  );
}
