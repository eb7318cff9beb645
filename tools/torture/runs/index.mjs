import { broker } from './broker.mjs';
import { crashes } from './crashes.mjs';
import { disk } from './disk.mjs';
import { failover } from './failover.mjs';
import { kills } from './kills.mjs';
import { upgrade } from './upgrade.mjs';

/**
 * `unit` is what `--count` counts, and `short` its default. `round` limits how much of it happens on one database, so that the checks, which read
 * the whole log, take bounded time and memory. `hasHosts`: `--hosts` says how many hosts the service on PostgreSQL has.
 * `isAlternating`: each round has one of the storages.
 */
export const runs = {
  kills: {
    run: kills,
    what: 'hosts are killed at random moments',
    unit: 'kills of hosts',
    short: 20,
    round: 400,
    storages: ['postgres', 'sqlite'],
    hasHosts: true,
  },
  crashes: {
    run: crashes,
    what: 'PostgreSQL is killed and started again',
    unit: 'crashes of PostgreSQL',
    short: 10,
    round: 100,
    storages: ['postgres'],
    hasHosts: true,
  },
  failover: {
    run: failover,
    what: 'a PostgreSQL primary is killed and its synchronous standby is promoted',
    unit: 'failovers',
    short: 3,
    round: 20,
    storages: ['postgres'],
    hasHosts: true,
  },
  broker: {
    run: broker,
    what: 'RabbitMQ restarts, connections are cut, confirmations are lost',
    unit: 'messages',
    short: 3_000,
    round: 60_000,
    storages: ['postgres', 'sqlite'],
  },
  disk: {
    run: disk,
    what: 'the disk of a database becomes full and has room again',
    unit: 'full disks',
    short: 4,
    round: 20,
    storages: ['sqlite', 'postgres'],
    hasHosts: true,
    isAlternating: true,
  },
  upgrade: {
    run: upgrade,
    what: 'hosts of another version are replaced one by one under load',
    unit: 'rolling upgrades',
    short: 2,
    round: 1,
    storages: ['postgres', 'sqlite'],
    hasHosts: true,
    isAlternating: true,
  },
};
