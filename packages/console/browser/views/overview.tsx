/** The state of the service now, and its rates in the last hour. */
import type { JSX } from 'preact';
import type { History, Overview } from '../../src/contract/index.js';
import { call } from '../api/client.js';
import { useResource } from '../api/resource.js';
import { Chart } from '../parts/chart.js';
import { formatted } from '../parts/formats.js';
import { Empty, Shown } from '../parts/states.js';
import { Status, type Tone } from '../parts/status.js';
import { Section, View } from '../parts/view.js';
import { healthTones } from './health-tones.js';
import { Checks, Hosts, Lags, Seals } from './overview-tables.js';

/** The service computes the state of a host at most every two seconds. */
const everyMs = 5_000;

export function OverviewView(): JSX.Element {
  const overview = useResource('overview', (signal) => call('GET /overview', { signal }), { everyMs });
  const history = useResource(
    'history',
    (signal) => call('GET /overview/history', { query: { minutes: 60 }, signal }),
    { everyMs: 10_000 },
  );
  return (
    <View heading="Overview">
      <Shown of={overview}>{(value) => <Tiles overview={value} />}</Shown>
      <Section heading="Last hour">
        <Shown of={history}>{(value) => <Charts history={value} />}</Shown>
      </Section>
      {overview.value !== null && (
        <>
          <Section heading="Health">
            <Checks overview={overview.value} />
          </Section>
          <Section heading="Lag">
            <Lags overview={overview.value} />
          </Section>
          <Section heading="Hosts">
            <Hosts overview={overview.value} />
          </Section>
          <Section heading="Seals">
            <Seals overview={overview.value} />
          </Section>
        </>
      )}
    </View>
  );
}

function Tiles({ overview }: { readonly overview: Overview }): JSX.Element {
  const { now, countLimit } = overview;
  const upTo = (count: number): string =>
    count >= countLimit ? `${formatted.number(countLimit)}+` : formatted.number(count);
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
  const deadLetters = sum(overview.deadLetters.map(({ count }) => count));
  const waiting = sum(overview.outbox.map((lane) => lane.waiting));
  return (
    <dl class="tiles">
      <Tile name="Health" value={<Status tone={healthTones[overview.status]}>{overview.status}</Status>} />
      <Tile name="Commands/s" value={now === null ? '–' : formatted.rate(now.commandsPerSecond)} />
      <Tile
        name="Failed/s"
        value={now === null ? '–' : formatted.rate(now.failedPerSecond)}
        tone={now !== null && now.failedPerSecond > 0 ? 'bad' : 'quiet'}
      />
      <Tile name="Rejected/s" value={now === null ? '–' : formatted.rate(now.rejectedPerSecond)} />
      <Tile name="p99" value={now?.p99Ms === null || now === null ? '–' : formatted.duration(now.p99Ms)} />
      <Tile name="Outbox" value={upTo(waiting)} />
      <Tile
        name="Dead letters"
        value={upTo(deadLetters)}
        tone={deadLetters > 0 ? 'bad' : 'quiet'}
        to="#/dead-letters"
      />
      <Tile name="Hosts" value={formatted.number(overview.hosts.length)} />
    </dl>
  );
}

interface TileProps {
  readonly name: string;
  readonly value: JSX.Element | string;
  readonly tone?: Tone;
  readonly to?: string;
}

function Tile({ name, value, tone = 'quiet', to }: TileProps): JSX.Element {
  return (
    <div class={`tile ${tone}`}>
      <dt>{to === undefined ? name : <a href={to}>{name}</a>}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Charts({ history: { points } }: { readonly history: History }): JSX.Element {
  if (points.length === 0)
    return <Empty>No host has recorded its activity yet. The first numbers appear within a minute.</Empty>;
  const times = points.map(({ at }) => at);
  return (
    <div class="charts">
      <Chart
        label="Commands"
        unit="per second"
        times={times}
        series={[{ name: 'all', tone: 'info', values: points.map((point) => point.commandsPerSecond) }]}
      />
      <Chart
        label="Errors"
        unit="per second"
        times={times}
        series={[
          { name: 'failed', tone: 'bad', values: points.map((point) => point.failedPerSecond) },
          { name: 'rejected', tone: 'warn', values: points.map((point) => point.rejectedPerSecond) },
        ]}
      />
      <Chart
        label="Duration of commands"
        unit="ms"
        times={times}
        series={[
          { name: 'p99', tone: 'info', values: points.map((point) => point.p99Ms) },
          { name: 'p50', tone: 'ok', values: points.map((point) => point.p50Ms) },
        ]}
      />
    </div>
  );
}
