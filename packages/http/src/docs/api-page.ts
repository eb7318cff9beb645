/** The API as a page: Swagger UI, which loads only files of this service. */
import type { Gate } from '@svc/core/hosting';
import { addressOf, browserPage, builtPage, pageFileRoute, type PageFile } from '../pages/index.js';
import type { Route } from '../routes/route.js';

type FileName = 'page.css' | 'page.js';

/** Loaded with the first request, so that services without the page never load its files. */
async function fileOf(name: FileName): Promise<PageFile> {
  const { files } = await builtPage('the API page', async () => await import('#api-page'));
  return files[name];
}

const sources = ["script-src 'self'", "style-src 'self'", 'img-src data:', "connect-src 'self'"];

/** The routes of the page and its files. `title` is that of the API. */
export function apiPageRoutes(title: string, gate: Gate | null): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/docs',
      owner: 'the documentation of the API',
      gate,
      readBody: null,
      handle: async (_request, reply) => {
        const address = async (name: FileName): Promise<string> => addressOf(`docs/${name}`, await fileOf(name));
        return browserPage(reply, {
          title,
          style: await address('page.css'),
          script: await address('page.js'),
          body: `<div id="api"></div>
    <noscript>This page needs JavaScript. The API is described in <a href="openapi.json">openapi.json</a>.</noscript>`,
          sources,
        });
      },
    },
    ...(['page.css', 'page.js'] as const).map((name) =>
      pageFileRoute(`/docs/${name}`, gate, async () => await fileOf(name)),
    ),
  ];
}
