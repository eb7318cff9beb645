import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { css, html } from './page.js';

/** Everything comes from this host, and nothing runs but the modules of the page. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The modules of the page, as the compiler writes them. The browser resolves the imports between them. */
const modules = ['page/browser/orders-page.js', 'client/generated/orders-client.js'];
const folder = fileURLToPath(new URL('../../dist/', import.meta.url));

/** Serves the page at `/`: the latest orders, as they change. It shows nothing that the caller may not read. */
export function addPage(app: FastifyInstance): void {
  app.get('/', (_request, reply) => send(reply, 'text/html', html));
  app.get('/page/page.css', (_request, reply) => send(reply, 'text/css', css));
  for (const module of modules) {
    app.get(`/${module}`, async (_request, reply) =>
      send(reply, 'text/javascript', await readFile(folder + module, 'utf8')),
    );
  }
}

function send(reply: FastifyReply, type: string, text: string): FastifyReply {
  return reply
    .type(`${type}; charset=utf-8`)
    .header('content-security-policy', policy)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-cache')
    .send(text);
}
