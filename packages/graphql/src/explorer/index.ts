import { restrictBrowser } from '@svc/http/hosting';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { assets } from './generated/assets.js';
import { explorerPage } from './page.js';

const javascript = 'text/javascript; charset=utf-8';

/** Sends the page of the explorer at `path`. */
export function sendExplorer(reply: FastifyReply, path: string): FastifyReply {
  restrictBrowser(reply, ["script-src 'self'", "style-src 'self'", "connect-src 'self'"]);
  return reply.type('text/html; charset=utf-8').send(explorerPage(path));
}

/** Serves the scripts and the style of the explorer. */
export function addExplorerFiles(app: FastifyInstance, path: string): void {
  serve('explorer.js', javascript, assets['explorer.js']);
  serve('explorer/operation-skeleton.js', javascript, assets['operation-skeleton.js']);
  serve('explorer/credential-header.js', javascript, assets['credential-header.js']);
  serve('explorer.css', 'text/css; charset=utf-8', assets['explorer.css']);

  function serve(file: string, type: string, text: string): void {
    app.get(`${path}/${file}`, (_request, reply) => {
      restrictBrowser(reply, []);
      return reply.type(type).send(text);
    });
  }
}
