import { connect } from 'node:net';
import { withoutCredentials } from '../credentials.js';
import { request } from './http-request.js';

/** Checks that an external service answers: `https://…` with a status below 400, `tcp://host:port` with a connection. */
export async function askDependency(address: string, signal: AbortSignal): Promise<string> {
  const { url } = withoutCredentials(address);
  if (url.protocol === 'tcp:') return await askTcp(url, signal);
  if (url.protocol === 'http:' || url.protocol === 'https:') return await askHttp(address, url, signal);
  throw new Error(`${url.protocol}// addresses are not supported: use https://…, http://… or tcp://host:port`);
}

async function askHttp(address: string, { origin, pathname }: URL, signal: AbortSignal): Promise<string> {
  const { status, body } = await request(address, { signal });
  await body?.cancel();
  if (status >= 400) throw new Error(`${origin}${pathname} returned ${status}`);
  return `${origin} returned ${status}`;
}

function askTcp({ hostname, port }: URL, signal: AbortSignal): Promise<string> {
  if (port === '') throw new Error(`tcp://${hostname} has no port`);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), signal }, () => {
      socket.destroy();
      resolve(`${hostname}:${port} accepts connections`);
    });
    socket.on('error', (error) => reject(new Error(`no connection to ${hostname}:${port}: ${error.message}`)));
  });
}
