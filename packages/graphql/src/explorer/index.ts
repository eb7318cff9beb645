import { restrictBrowser } from '@svc/http';
import type { FastifyInstance } from 'fastify';
import { assets } from './generated/assets.js';
import { explorerPage } from './page.js';

const javascript = 'text/javascript; charset=utf-8';

/** Serves the explorer page with its script and style. */
export function addExplorerRoutes(app: FastifyInstance, path: string): void {
  serve(path, 'text/html; charset=utf-8', explorerPage(path), [
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
  ]);
  serve(`${path}/explorer.js`, javascript, assets['explorer.js']);
  serve(`${path}/explorer/operation-skeleton.js`, javascript, assets['operation-skeleton.js']);
  serve(`${path}/explorer/credential-header.js`, javascript, assets['credential-header.js']);
  serve(`${path}/explorer.css`, 'text/css; charset=utf-8', assets['explorer.css']);

  function serve(url: string, type: string, text: string, sources: readonly string[] = []): void {
    app.get(url, (_request, reply) => {
      restrictBrowser(reply, sources);
      return reply.type(type).send(text);
    });
  }
}
