/** Sends the request of a failure again: with the data of its run, if that is in a file. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { checkOutcome, lateMs } from './check/answer.mjs';
import { callersOf, createTenants, Credentials } from './generate/callers.mjs';
import { Random } from './random.mjs';
import { Connection } from './send/connection.mjs';
import { wireOf } from './send/wire.mjs';
import { createDatabase } from './service/database.mjs';
import { ServiceProcess } from './service/service-process.mjs';

/** Prints the request and its response, and returns whether it fails. */
export async function replay(file, print, entry) {
  const { seed, connections, database: kind, ...saved } = JSON.parse(readFileSync(file, 'utf8'));
  const folder = dirname(file);
  const credentials = new Credentials(seed);
  const tenants = createTenants(new Random(seed, 0xffff));
  // The service reads API keys at its start.
  for (let i = 0; i < connections; i++) callersOf(i, tenants, credentials);
  const database = await createDatabase(kind, folder);
  const environment = { ...credentials.environment, ...database.environment };
  const service = await ServiceProcess.start({ entry, folder, environment, onError: (line) => print(`log: ${line}`) });
  const connection = new Connection(service.port);
  try {
    const request = requestOf(saved, credentials);
    const wire = wireOf(request);
    print(Buffer.concat(wire.parts).toString('utf8'));
    const outcome = await connection.send(wire, lateMs);
    print(
      `\n${outcome.kind} after ${Math.round(outcome.ms)} ms${outcome.detail === undefined ? '' : `: ${outcome.detail}`}`,
    );
    if (outcome.answer !== undefined) printAnswer(outcome.answer, print);
    const wrong = checkOutcome(request, wire, outcome, 0);
    print(wrong === null ? '\nNothing is wrong with this answer.' : `\n${wrong.kind}: ${wrong.text}`);
    return wrong !== null;
  } finally {
    connection.close();
    await service.stop();
    await database.remove();
  }
}

/** The request of a file. Its token is issued again, because it may have expired. */
function requestOf({ request, caller }, credentials) {
  const { identity, header } = caller;
  const claims = identity && { sub: identity.userId, roles: identity.roles, tenant_id: identity.tenantId ?? undefined };
  const renewed = claims === null ? header : ['authorization', `Bearer ${credentials.token(claims)}`];
  const headers = request.headers.map(([name, value]) => (value === header[1] ? renewed : [name, value]));
  return { ...request, headers, body: request.body === null ? null : Buffer.from(request.body, 'base64') };
}

function printAnswer({ status, headers, body }, print) {
  print(String(status));
  for (const [name, value] of Object.entries(headers)) print(`${name}: ${value}`);
  print(`\n${body.toString('utf8').slice(0, 5000)}`);
}
