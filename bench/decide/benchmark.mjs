/** A command that decides from a long stream with snapshots, compared with one on a short stream. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@svc/core';
import { commitRecord, pendingRecord } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { createCluster } from '../../tools/postgres/cluster.mjs';
import { createDatabase } from '../lib/database.mjs';
import { atMost, table } from '../lib/report.mjs';
import { interleave, ratio } from '../lib/rounds.mjs';
import { ReserveSeat, startTheater } from '../lib/theater-service.mjs';

const lengths = [100, 10_000];
const storages = ['sqlite', 'postgres'];
const subjects = storages.flatMap((storage) =>
  lengths.map((length) => ({
    name: `${storage}-${length}`,
    about: `${storage === 'sqlite' ? 'SQLite' : 'PostgreSQL'}, ${length.toLocaleString('en-US')} events`,
  })),
);
/** @type {import('../lib/report.mjs').Metric} */
const time = { name: 'time', label: 'ms/command', digits: 3 };
const batch = 500;

/** @type {import('../lib/report.mjs').Benchmark} */
export const benchmark = {
  about: 'a command that loads a stream of 100 or 10,000 events with snapshots, and appends to it',
  async run({ quick, progress }) {
    const plan = quick ? { rounds: 2, commands: 200 } : { rounds: 7, commands: 1_000 };
    const cluster = await createCluster();
    const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
    const targets = new Map([
      ['sqlite', join(folder, 'decide.db')],
      ['postgres', await createDatabase(cluster, 'decide')],
    ]);
    /** @type {Map<string, Awaited<ReturnType<typeof startTheater>>>} */
    const services = new Map();
    try {
      for (const [storage, target] of targets) services.set(storage, await startTheater(target, 'decider'));
      // Before all rounds, so that what a database does after many appends disturbs none of them.
      progress('filling the streams');
      const shows = await showsOf(plan.rounds, services, targets);
      const rounds = await interleave(
        subjects.map(({ name }) => name),
        plan.rounds,
        async (name, round) => {
          const service = serviceOf(name, services);
          const command = Object.assign(new ReserveSeat(), {
            showId: shows.get(`${name} ${round}`),
            capacity: 1_000_000,
          });
          const started = performance.now();
          for (let i = 0; i < plan.commands; i++) await service.dispatcher.invoke(command);
          return { time: (performance.now() - started) / plan.commands };
        },
        progress,
      );
      return {
        tables: [
          table('A command on a stream with snapshots', subjects, rounds, [time], ['sqlite-100', 'postgres-100']),
        ],
        targets: storages.map((storage) =>
          atMost(
            `${storage}, time on 10,000 events × on 100 events`,
            ratio(rounds, `${storage}-10000`, `${storage}-100`, time.name),
            1.3,
          ),
        ),
        notes: [
          `${plan.commands} commands one after the other on a new stream in each of ${plan.rounds} rounds; each loads the stream and appends an event; a snapshot every 100 events, stored in the background while commands continue`,
          'all streams are filled before the first round, with one snapshot each; they grow by the commands',
        ],
      };
    } finally {
      for (const service of services.values()) await service.stop();
      await cluster.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** @typedef {Awaited<ReturnType<typeof startTheater>>} Service */

/** @param {string} name @param {ReadonlyMap<string, Service>} services */
function serviceOf(name, services) {
  const service = services.get(name.split('-')[0] ?? '');
  if (service === undefined) throw new Error(`There is no service for ${name}.`);
  return service;
}

/**
 * A stream with a snapshot for each subject and round.
 *
 * @param {number} rounds
 * @param {ReadonlyMap<string, Service>} services
 * @param {ReadonlyMap<string, string>} targets
 */
async function showsOf(rounds, services, targets) {
  const shows = new Map();
  for (const { name } of subjects) {
    const service = serviceOf(name, services);
    const [storage = '', length = ''] = name.split('-');
    for (let round = 1; round <= rounds; round++) {
      const showId = await filled(targets.get(storage) ?? '', Number(length));
      // The first command stores the snapshot.
      await service.dispatcher.invoke(Object.assign(new ReserveSeat(), { showId, capacity: 1_000_000 }));
      await service.idle();
      shows.set(`${name} ${round}`, showId);
    }
  }
  return shows;
}

/** Appends events to a new stream. @param {string} target @param {number} length */
async function filled(target, length) {
  const storage = target.startsWith('postgres') ? postgres({ url: target }) : sqlite({ file: target });
  const showId = newId();
  for (let first = 0; first < length; first += batch) {
    const events = Array.from({ length: Math.min(batch, length - first) }, (_, i) =>
      pendingRecord(showId, { type: 'theater.SeatReserved', body: JSON.stringify({ seat: first + i }) }),
    );
    await storage.commit(commitRecord({ events }));
  }
  await storage.close();
  return showId;
}
