/** One run of the fuzzer, from an empty database to the comparison of its log. */
import { checkLog } from './check/log-check.mjs';
import { judgeMemory } from './check/memory.mjs';
import { Failures } from './failures.mjs';
import { callersOf, createTenants, Credentials } from './generate/callers.mjs';
import { Generator } from './generate/generator.mjs';
import { discover } from './generate/operations.mjs';
import { Random } from './random.mjs';
import { Connection } from './send/connection.mjs';
import { createDatabase, untilDelivered } from './service/database.mjs';
import { ServiceProcess } from './service/service-process.mjs';
import { Session } from './session.mjs';

/** The minimum number of requests between two measurements of memory: for each, all requests wait for a garbage collection. */
export const mostRounds = 40;
const leastPerRound = 1_000;
const pipelinedEvery = 50;
/** The service may close connections between two requests, but rarely. */
const maxClosedShare = 1 / 10_000;

/**
 * Sends `requests` requests to a new service with an empty database, and returns failures and counts. `folder` gets the data, the log of
 * the service and the failed requests.
 */
export async function fuzz({
  requests,
  seed,
  folder,
  database: kind = 'sqlite',
  connections = 8,
  minutes = 120,
  entry,
  onProgress = () => {},
}) {
  const failures = new Failures(folder, { seed, connections, database: kind });
  const credentials = new Credentials(seed);
  const tenants = createTenants(new Random(seed, 0xffff));
  const callers = Array.from({ length: connections }, (_, i) => callersOf(i, tenants, credentials));
  const database = await createDatabase(kind, folder);
  let session = null;
  let service = null;
  try {
    service = await ServiceProcess.start({
      entry,
      folder,
      environment: { ...credentials.environment, ...database.environment },
      onError: (line, traceId) =>
        session === null ? failures.add('logged error', line) : session.logged(line, traceId),
    });
    const found = await discover((method, path, body) =>
      ask(service.port, method, path, body, callers[0][0][1].header),
    );
    session = new Session(service.port, tenants, found.schema, failures);
    const generator = new Generator(seed, found, `127.0.0.1:${service.port}`, credentials);
    const started = performance.now();
    await sendAll({ requests, minutes, service, session, generator, callers, onProgress });
    const seconds = (performance.now() - started) / 1000;
    const log = await compareLog(service, database, session, failures);
    const { closedBetween, sent } = session.statistics;
    if (closedBetween > Math.max(1, maxClosedShare * sent))
      failures.add('closed between requests', `${closedBetween} times`);
    const memory = judgeMemory(session.statistics.memory);
    for (const text of memory.wrong) failures.add('memory', text);
    return {
      seed,
      seconds,
      failures: failures.list,
      failureCount: failures.count,
      statistics: session.statistics,
      memory,
      log,
      operations: operationsOf(found),
    };
  } finally {
    session?.close();
    service?.kill();
    await database.remove();
  }
}

async function sendAll({ requests, minutes, service, session, generator, callers, onProgress }) {
  const end = performance.now() + minutes * 60_000;
  const open = callers.map((own) => ({ own, connection: new Connection(service.port) }));
  const rounds = Math.max(1, Math.min(mostRounds, Math.floor(requests / leastPerRound)));
  let next = 0;
  const isOver = (last) => next >= last || service.hasEnded || performance.now() >= end;
  for (let round = 1; round <= rounds; round++) {
    const last = Math.round((requests * round) / rounds);
    await Promise.all(
      open.map(async ({ own, connection }) => {
        while (!isOver(last)) {
          // Several at once, of both tenants: the service must not mix them up.
          const kind = next % pipelinedEvery === 0 ? 'pipelined' : null;
          const group = Array.from({ length: kind === null ? 1 : 3 }, () => generator.request(next++, own, kind));
          await Promise.all(group.map((request) => session.send(connection, request)));
        }
      }),
    );
    const memory = await service.memory();
    if (memory !== null) session.statistics.memory.push({ requests: next, ...memory });
    onProgress(session, next);
    if (service.hasEnded || performance.now() > end) break;
  }
  for (const { connection } of open) {
    session.statistics.closedBetween += connection.closedBetween;
    connection.close();
  }
}

/** Lets the service deliver its outbox and stops it, then reads its log. */
async function compareLog(service, database, session, failures) {
  const storage = database.open();
  await storage.open();
  try {
    if (!service.hasEnded && !(await untilDelivered(storage)))
      failures.add('log', 'The service did not deliver its audit records within a minute.');
    const wrongEnd = await service.stop();
    if (wrongEnd !== null) failures.add('end', wrongEnd);
    const { wrong, commands, events } = await checkLog(storage.readAll(), session.ledger);
    for (const text of wrong) failures.add('log', text);
    return { commands, events, answered: session.ledger.commands };
  } finally {
    await storage.close();
  }
}

function operationsOf({ rest, graphql, pages }) {
  return [...rest, ...graphql, ...pages].map(({ name }) => name);
}

async function ask(port, method, path, body, [header, value]) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { [header]: value, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}.`);
  return await response.json();
}
