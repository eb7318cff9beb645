import { connect } from 'node:net';
import { messageOf } from '../deploy-error.js';

/** Whether something outside answers: `https://…` with a status below 400, `tcp://host:port` with a connection. */
export async function askDependency(address: string, signal: AbortSignal): Promise<string> {
  const url = new URL(address);
  if (url.protocol === 'tcp:') return await askTcp(url.hostname, Number(url.port), signal);
  let status: number;
  try {
    const answer = await fetch(url, { signal });
    await answer.body?.cancel();
    ({ status } = answer);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new Error(`${url.origin} does not answer: ${messageOf(cause)}`, { cause: error });
  }
  if (status >= 400) throw new Error(`${url.origin}${url.pathname} answers ${status}`);
  return `${url.origin} answers ${status}`;
}

function askTcp(host: string, port: number, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal }, () => {
      socket.destroy();
      resolve(`${host}:${port} takes connections`);
    });
    socket.on('error', (error) => reject(new Error(`no connection to ${host}:${port}: ${error.message}`)));
  });
}
