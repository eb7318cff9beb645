import { access, constants } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import type { DatabaseAccess } from './database-access.js';
import { filledIn } from './variables.js';

/** The SSLRequest of PostgreSQL's protocol: 8 bytes, answered with one letter before authentication. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

export function isPostgres(address: string): boolean {
  return /^postgres(?:ql)?:/.test(address);
}

/** Checks that a database answers at an address and, with a driver, that it accepts the login. */
export async function askDatabase(
  setting: string,
  driver: DatabaseAccess | null,
  signal: AbortSignal,
): Promise<string> {
  const address = filledIn(setting);
  if (address.startsWith('sqlite:')) return await askFile(address.slice('sqlite:'.length));
  const urls = urlsOf(address).map(parseAddress);
  if (!isPostgres(address)) throw new Error(`${urls[0]!.protocol}// databases are not supported`);
  const answering = await askHosts(urls, signal);
  return driver === null ? `PostgreSQL answers at ${answering}` : await driver.logIn(address);
}

/** One URL for each host of `postgres://user@host1:5432,host2:5433/database`. */
function urlsOf(address: string): string[] {
  const [, start = '', hosts = '', rest = ''] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(address) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => `${start}${host}${rest}`) : [address];
}

/** The first host that answers. A standby may be down; the login tells whether one accepts writes. */
async function askHosts(urls: readonly URL[], signal: AbortSignal): Promise<string> {
  const failures: string[] = [];
  for (const { hostname, port } of urls) {
    const number = Number(port === '' ? 5432 : port);
    try {
      await askPostgres(hostname, number, signal);
      return `${hostname}:${number}`;
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(failures.join('; '));
}

function parseAddress(address: string): URL {
  try {
    return new URL(address);
  } catch {
    // The address may contain a password: do not repeat it.
    throw new Error('the address of the database is not a valid URL');
  }
}

async function askFile(path: string): Promise<string> {
  await access(dirname(path), constants.W_OK);
  return `${dirname(path)} is writable`;
}

function askPostgres(host: string, port: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal });
    socket.on('connect', () => socket.write(sslRequest));
    socket.on('data', (answer: Buffer) => {
      socket.destroy();
      if (answer[0] === 'S'.charCodeAt(0) || answer[0] === 'N'.charCodeAt(0)) resolve();
      else reject(new Error(`the server at ${host}:${port} is not PostgreSQL`));
    });
    socket.on('error', (error) => reject(new Error(`no connection to ${host}:${port}: ${error.message}`)));
    socket.on('end', () => reject(new Error(`${host}:${port} closed the connection`)));
  });
}
