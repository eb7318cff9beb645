/** The page of the console, which loads only files of this package. */
import { addressOf, browserPage, builtPage, pageFileRoute, type PageFile, type Route } from '@svc/http/hosting';

type FileName = 'console.css' | 'console.js';

/** Loaded with the first request, so that hosts whose console is not used never load its files. */
async function fileOf(name: FileName): Promise<PageFile> {
  const { files } = await builtPage('the console', async () => await import('#console'));
  return files[name];
}

const sources = ["script-src 'self'", "style-src 'self'", 'img-src data:'];

/** The page and its files. They contain no data, and need no credential: a browser cannot send one with the address of a page. It connects to its host and to `origins`. */
export function pageRoutes(title: string, origins: readonly string[]): readonly Route[] {
  const get = { method: 'GET', gate: null, readBody: null } as const;
  return [
    {
      ...get,
      path: '/console',
      handle: async (_request, reply) => {
        const address = async (name: FileName): Promise<string> => addressOf(`console/${name}`, await fileOf(name));
        return browserPage(reply, {
          title: `${title} console`,
          style: await address('console.css'),
          script: await address('console.js'),
          body: `<div id="console"></div>
    <noscript>The console needs JavaScript. Its API is described in <a href="console/api/openapi.json">openapi.json</a>.</noscript>`,
          sources: [...sources, `connect-src ${["'self'", ...origins].join(' ')}`],
        });
      },
    },
    {
      ...get,
      path: '/console/',
      handle: async (_request, reply) => {
        reply.code(308).header('location', '../console');
        return '';
      },
    },
    ...(['console.css', 'console.js'] as const).map((name) =>
      pageFileRoute(`/console/${name}`, null, async () => await fileOf(name)),
    ),
  ];
}
