import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface PageWithApi {
  readonly address: string;
  stop(): void;
}

/** A page with a script, and a service below `/api` of the same origin, as behind a proxy. */
export async function servePage(script: string, service: string): Promise<PageWithApi> {
  const server = createServer((request, response) => void answer(request, response, script, service));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/page`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  script: string,
  service: string,
): Promise<void> {
  const { url = '', method = 'GET' } = request;
  if (!url.startsWith('/api/')) {
    const [type, content] = url === '/page.js' ? ['text/javascript', script] : ['text/html', page];
    return void response.writeHead(200, { 'content-type': type }).end(content);
  }
  const { host: _host, ...headers } = request.headers as Record<string, string>;
  const body = method === 'POST' ? await text(request) : null;
  const answered = await fetch(service + url.slice('/api'.length), { method, headers, body });
  response.writeHead(answered.status, Object.fromEntries(answered.headers)).end(await answered.text());
}

const page = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>';
