import { access, constants } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import type { DatabaseAccess } from './database-access.js';
import { filledIn } from './variables.js';

/** "May we speak TLS?" in PostgreSQL's protocol: 8 bytes, answered with one letter before anybody has logged in. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

export function isPostgres(address: string): boolean {
  return /^postgres(?:ql)?:/.test(address);
}

/** Whether a database answers at an address, and lets us in where there is a way to ask. */
export async function askDatabase(
  setting: string,
  driver: DatabaseAccess | null,
  signal: AbortSignal,
): Promise<string> {
  const address = filledIn(setting);
  if (address.startsWith('sqlite:')) return await askFile(address.slice('sqlite:'.length));
  const { protocol, hostname, port } = parseAddress(address);
  if (!isPostgres(address)) throw new Error(`no check for ${protocol}// databases`);
  const number = Number(port === '' ? 5432 : port);
  await askPostgres(hostname, number, signal);
  return driver === null ? `PostgreSQL answers at ${hostname}:${number}` : await driver.logIn(address);
}

function parseAddress(address: string): URL {
  try {
    return new URL(address);
  } catch {
    // The address may hold a password: it is not repeated.
    throw new Error('the address of the database is not a URL');
  }
}

async function askFile(path: string): Promise<string> {
  await access(dirname(path), constants.W_OK);
  return `${dirname(path)} can be written to`;
}

function askPostgres(host: string, port: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal });
    socket.on('connect', () => socket.write(sslRequest));
    socket.on('data', (answer: Buffer) => {
      socket.destroy();
      if (answer[0] === 'S'.charCodeAt(0) || answer[0] === 'N'.charCodeAt(0)) resolve();
      else reject(new Error(`what answers at ${host}:${port} is not PostgreSQL`));
    });
    socket.on('error', (error) => reject(new Error(`no connection to ${host}:${port}: ${error.message}`)));
    socket.on('end', () => reject(new Error(`${host}:${port} hung up`)));
  });
}
