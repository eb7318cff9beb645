import { readFileSync } from 'node:fs';
import { restrictBrowser } from '@svc/http';
import type { FastifyInstance } from 'fastify';
import { explorerPage } from './page.js';

const javascript = 'text/javascript; charset=utf-8';

/** Serves the explorer page with its script and style. */
export function addExplorerRoutes(app: FastifyInstance, path: string): void {
  serve(path, 'text/html; charset=utf-8', explorerPage(path), [
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
  ]);
  serve(`${path}/explorer.js`, javascript, asset('explorer.js'));
  serve(`${path}/explorer/operation-skeleton.js`, javascript, asset('operation-skeleton.js'));
  serve(`${path}/explorer/credential-header.js`, javascript, asset('credential-header.js'));
  serve(`${path}/explorer.css`, 'text/css; charset=utf-8', asset('explorer.css'));

  function serve(url: string, type: string, text: string, sources: readonly string[] = []): void {
    app.get(url, (_request, reply) => {
      restrictBrowser(reply, sources);
      return reply.type(type).send(text);
    });
  }
}

/** Reads a file of the package's assets folder, which has the same relative path from sources and built code. */
function asset(name: string): string {
  return readFileSync(new URL(`../../assets/${name}`, import.meta.url), 'utf8');
}
