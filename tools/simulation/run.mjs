/** Runs one plan from its start until everything is quiet, and checks what it leaves. */
import { Random } from '../fuzz/random.mjs';
import { Broker } from './broker.mjs';
import { Clients } from './clients.mjs';
import { DatabaseServer } from './database-server.mjs';
import { Faults } from './faults.mjs';
import { Host } from './host.mjs';
import { historyOf } from './invariants/history.mjs';
import { checkAll } from './invariants/index.mjs';
import { Problems } from './problems.mjs';
import { quiescent } from './quiescence.mjs';
import { network, Scheduler } from './scheduler.mjs';
import { Trace } from './trace.mjs';

/** After the last step, so that faults have an effect. */
const afterStepsMs = 300;
/** How long everything may take to become quiet after all faults. */
const quietMs = 120_000;
const stopMs = 120_000;

/** Returns `{ violations, commands, events, steps, seconds, lines }`. `hasStacks`: whether errors have a stack trace, which takes time. */
export async function run(program, plan, { hasStacks = false } = {}) {
  const world = createWorld(program, plan);
  const { stackTraceLimit } = Error;
  if (!hasStacks) Error.stackTraceLimit = 0;
  const onRejection = (error) =>
    world.problems.add('no internal errors', `an unhandled rejection: ${error?.stack ?? error}`);
  process.on('unhandledRejection', onRejection);
  try {
    await play(world, plan);
  } finally {
    process.off('unhandledRejection', onRejection);
    Error.stackTraceLimit = stackTraceLimit;
  }
  const { scheduler, problems, trace, clients, servers } = world;
  const histories = [];
  for (const server of Object.values(servers)) histories.push(await historyOf(server, program.exports.tenantOfEvent));
  await checkAll({ ...world, histories, plan }, problems);
  const events = histories.reduce((sum, history) => sum + history.events.length, 0);
  const answered = clients.sent.filter(({ outcome }) => outcome !== null).length;
  trace.add('simulation', `${events} events, ${answered} answers`);
  return {
    violations: problems.list,
    commands: clients.sent.length,
    events,
    steps: scheduler.count,
    seconds: scheduler.now / 1_000,
    lines: trace.lines,
  };
}

function createWorld(program, { seed, hosts, hasTicks }) {
  const scheduler = new Scheduler();
  const randomOf = (stream) => new Random(seed, stream);
  const faults = new Faults(scheduler, randomOf(2));
  const trace = new Trace(scheduler);
  const world = { scheduler, faults, trace, program, hasTicks, problems: new Problems(), reported: 0 };
  /** The rebuilds that have not ended, with the program of the host that runs them: one that crashes does not end its own. */
  world.rebuilds = new Set();
  world.random = randomOf(3);
  world.randomOfProcess = (name) => randomOf(numberOf(name));
  world.broker = new Broker(world);
  world.servers = { east: new DatabaseServer(world, 'east'), west: new DatabaseServer(world, 'west') };
  world.hosts = hosts.map((host) => new Host(world, { ...host, database: world.servers[host.service] }));
  world.clients = new Clients(world);
  world.ended = (host) => world.clients.lost(host);
  return world;
}

async function play(world, { steps }) {
  const { scheduler, faults, broker, servers, hosts, problems } = world;
  for (const host of hosts) host.start();
  for (const step of steps) scheduler.after(step.at, network, () => take(world, step));
  await scheduler.run((steps.at(-1)?.at ?? 0) + afterStepsMs);
  world.trace.add('simulation', 'all faults end');
  faults.clear();
  broker.heal();
  for (const server of Object.values(servers)) server.heal();
  for (const host of hosts) {
    host.heal();
    host.start();
  }
  const until = scheduler.now + quietMs;
  let open = ['nothing was checked'];
  while (open.length > 0 && scheduler.now < until) {
    await scheduler.run(scheduler.now + 250);
    open = await quiescent(world);
  }
  for (const text of open) problems.add('quiescence', `after ${quietMs / 1_000} s without faults: ${text}`);
  for (const host of hosts) host.stop(() => {});
  await scheduler.run(scheduler.now + stopMs, () => hosts.every(({ isDown }) => isDown));
}

const actions = {
  request: ({ clients }, step) => clients.send(step),
  read: ({ clients }, step) => clients.read(step),
  crash(world, { host: name, calls, isLastSent, downMs }) {
    const host = hostOf(world, name);
    host.crashAfter(calls, isLastSent, () => world.scheduler.after(downMs, network, () => host.start()));
  },
  stop(world, { host: name, downMs }) {
    const host = hostOf(world, name);
    host.stop(() => world.scheduler.after(downMs, network, () => host.start()));
  },
  freeze: (world, { host, calls, ms }) => hostOf(world, host).freezeAfter(calls, ms),
  clock: (world, { host, skewMs }) => hostOf(world, host).setClock(skewMs),
  faults: ({ faults }, step) => faults.add(step),
  interrupt: ({ servers, broker }, { target, ms }) => (servers[target] ?? broker).interrupt(ms),
  'lose leases': ({ servers }, { service }) => servers[service].loseLeases(),
  rebuild(world, { host: name, perspective, options }) {
    const host = hostOf(world, name);
    if (host.app === null) return;
    world.scheduler.after(0, host.realm, () => {
      const { app } = host;
      if (app === null) return;
      const running = { host, app };
      world.rebuilds.add(running);
      const end = (text) => {
        world.rebuilds.delete(running);
        world.trace.add(name, `rebuild of ${perspective} ${text}`);
      };
      app.rebuild(perspective, options).then(
        () => end('completed'),
        (error) => end(`failed: ${error.code ?? error.message}`),
      );
    });
  },
};

function take(world, step) {
  if (step.kind !== 'request' && step.kind !== 'read') world.trace.add('fault', JSON.stringify(step));
  actions[step.kind](world, step);
}

function hostOf({ hosts }, name) {
  return hosts.find((host) => host.name === name);
}

/** A number for a name, above those of other streams of random numbers. */
function numberOf(name) {
  let number = 0;
  for (const character of name) number = (number * 31 + character.codePointAt(0)) % 0x7fff_ffff;
  return number + 1_000;
}
