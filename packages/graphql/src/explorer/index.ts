import { restrictBrowser, type HostReply, type Route } from '@svc/http/hosting';
import { assets } from './generated/assets.js';
import { explorerPage } from './page.js';

const javascript = 'text/javascript; charset=utf-8';

/** The page of the explorer at `path`. */
export function explorer(reply: HostReply, path: string): string {
  restrictBrowser(reply, ["script-src 'self'", "style-src 'self'", "connect-src 'self'"]);
  reply.header('content-type', 'text/html; charset=utf-8');
  return explorerPage(path);
}

/** The routes of the scripts and the style of the explorer. */
export function explorerFiles(path: string): readonly Route[] {
  return [
    fileRoute('explorer.js', javascript, assets['explorer.js']),
    fileRoute('explorer/operation-skeleton.js', javascript, assets['operation-skeleton.js']),
    fileRoute('explorer/credential-header.js', javascript, assets['credential-header.js']),
    fileRoute('explorer.css', 'text/css; charset=utf-8', assets['explorer.css']),
  ];

  function fileRoute(file: string, type: string, text: string): Route {
    return {
      method: 'GET',
      path: `${path}/${file}`,
      gate: null,
      readBody: null,
      handle: async (_request, reply) => {
        restrictBrowser(reply, []);
        reply.header('content-type', type);
        return text;
      },
    };
  }
}
