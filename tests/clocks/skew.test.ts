/** Hosts whose clocks differ, on one database: causality orders events, and no clock does. */
import { newId, SystemEventStream, type Uuid } from '@svc/core';
import { describe, expect, it } from 'vitest';
import { databases, LedgerNetwork } from './ledger-network.js';
import { SkewedHost, type LoggedEvent } from './skewed-hosts.js';

const hour = 3_600_000;

/** That in each stream ids ascend with positions. */
function expectOrdered(log: readonly LoggedEvent[]): void {
  const latest = new Map<Uuid, Uuid>();
  for (const { streamId, id } of log) {
    if (streamId === SystemEventStream.streamId) continue;
    expect(id > (latest.get(streamId) ?? ''), `${id} in ${streamId}`).toBe(true);
    latest.set(streamId, id);
  }
}

function expectNoRewinds(log: readonly LoggedEvent[]): void {
  expect(log.filter(({ type }) => type.includes('Rewind'))).toEqual([]);
}

const labelsOf = (log: readonly LoggedEvent[]): (string | undefined)[] =>
  log.filter(({ type }) => type === 'ledger.Recorded').map(({ label }) => label);

describe.each(Object.keys(databases) as (keyof typeof databases)[])('on %s', (kind) => {
  it('events of a host with a clock that is behind or ahead follow their causes, live and rebuilt', async () => {
    const database = await databases[kind]();
    const [a, b] = [await SkewedHost.start(database, 0), await SkewedHost.start(database, 0)];
    // The last one is an hour ahead.
    for (const behindMs of [50, 500, -hour]) {
      await b.setSkew(-behindMs);
      const ledger = `${behindMs} ms behind`;
      const streams: Uuid[] = [];
      for (let i = 0; i < 10; i++) {
        const stream = newId();
        streams.push(stream);
        await a.record(stream, `placed ${i}`, ledger);
        // Half of them read the order first, as most commands do; the others know nothing of it.
        await b.record(stream, `cancelled ${i}`, ledger, i % 2 === 0 ? [stream] : []);
      }
      const expected = streams.map((_, i) => [`placed ${i}`, `cancelled ${i}`]);
      await expect.poll(async () => await a.ledger(ledger), { timeout: 20_000 }).toHaveLength(20);
      for (const rebuilds of [false, true]) {
        if (rebuilds) await a.rebuild();
        // Each perspective has a host of its own.
        await expect
          .poll(() => Promise.all(streams.map((stream) => b.stream(stream))), { timeout: 20_000, message: ledger })
          .toEqual(expected);
        expect(await a.ledger(ledger)).toEqual(expected.flat());
      }
    }
    const log = await a.log();
    expectOrdered(log);
    expectNoRewinds(log);
  });

  it('a host whose clock is set back and forth appends in order, and never rewinds', async () => {
    const host = await SkewedHost.start(await databases[kind](), 0);
    const stream = newId();
    const labels: string[] = [];
    for (const skew of [0, -hour, 0, -2 * hour, hour, -hour, 0]) {
      await host.setSkew(skew);
      labels.push(`at ${skew}/${labels.length}`);
      await host.record(stream, labels.at(-1)!);
      await host.record(newId(), `beside ${labels.length}`);
    }
    await host.idle();
    expect(await host.stream(stream)).toEqual(labels);
    const log = await host.log();
    expect(await host.ledger()).toEqual(labelsOf(log));
    expectOrdered(log);
    expectNoRewinds(log);
  });

  it('a model of several streams has concurrent events of its hosts in the order of the log, and never rewinds', async () => {
    const database = await databases[kind]();
    const hosts = await Promise.all([0, -800, 1_500].map((skew) => SkewedHost.start(database, skew)));
    const shared = [newId(), newId()];
    await Promise.all(
      hosts.flatMap((host, h) =>
        Array.from({ length: 30 }, (_, i) => host.record(i % 3 === 0 ? newId() : shared[i % 2]!, `${h}/${i}`)),
      ),
    );
    const log = await hosts[0]!.log();
    expect(labelsOf(log)).toHaveLength(90);
    await expect.poll(() => hosts[1]!.ledger(), { timeout: 20_000 }).toEqual(labelsOf(log));
    await hosts[2]!.rebuild();
    expect(await hosts[0]!.ledger()).toEqual(labelsOf(log));
    expectOrdered(log);
    expectNoRewinds(await hosts[0]!.log());
  });
});

describe('the limit of clocks that are ahead', () => {
  const minute = 60_000;

  it('follows the clock of the database when the clock of the receiver steps, with and without health checks', async () => {
    const { hosts } = await LedgerNetwork.start(['postgres', 'postgres'], [1, 1], 5 * minute);
    const [sender, receiver] = hosts.map(({ process }) => process) as [SkewedHost, SkewedHost];
    const stream = newId();
    // By the clock of the receiver the event is an hour ahead.
    await receiver.setSkew(-hour);
    await sender.record(stream, 'on time');
    await expect.poll(() => receiver.stream(stream), { timeout: 20_000 }).toEqual(['on time']);
    // By the clock of the receiver the event is an hour behind.
    await receiver.setSkew(2 * hour);
    await sender.setSkew(hour);
    await sender.record(stream, 'an hour ahead');
    const causes = async (): Promise<unknown[]> =>
      (await receiver.log()).flatMap(({ type, cause }) => (type === 'svc.MessageDeadLettered' ? [cause] : []));
    await expect.poll(causes, { timeout: 20_000 }).toEqual(['ClockAhead']);
    expect(await receiver.stream(stream)).toEqual(['on time']);
  });
});

describe('svc_clock', () => {
  it.each([
    [0, 'Healthy', undefined],
    [
      60_000,
      'Degraded',
      /is (?:59|60)\d{3} ms ahead of that of the database\. Synchronize both with the same time source/,
    ],
    [
      -60_000,
      'Degraded',
      /is (?:59|60)\d{3} ms behind that of the database\. Synchronize both with the same time source/,
    ],
  ])('of a host that is %i ms ahead of PostgreSQL is %s', async (skewMs, status, description) => {
    const host = await SkewedHost.start(await databases.postgres(), skewMs);
    const { svc_clock: clock } = await host.health();
    expect(clock).toMatchObject({
      status,
      ...(description !== undefined && { description: expect.stringMatching(description) as string }),
    });
  });

  it('does not exist for a database without a clock', async () => {
    const host = await SkewedHost.start(await databases.sqlite(), 0);
    expect(Object.keys(await host.health())).not.toContain('svc_clock');
  });
});
