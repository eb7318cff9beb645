/** The page for trying operations: GraphiQL, which loads only files of this service. */
import {
  addressOf,
  builtPage,
  pageFileRoute,
  restrictBrowser,
  type HostReply,
  type PageFile,
  type Route,
} from '@svc/http/hosting';

type FileName = 'explorer.css' | 'explorer.js';

/** Loaded with the first request, so that services without the explorer never load its files. */
async function fileOf(name: FileName): Promise<PageFile> {
  const { files } = await builtPage('the GraphQL explorer', async () => await import('#explorer'));
  return files[name];
}

const sources = ["script-src 'self'", "style-src 'self'", 'img-src data:', 'font-src data:', "connect-src 'self'"];

/** The page of the explorer at `path`. */
export async function explorer(reply: HostReply, path: string): Promise<string> {
  const folder = path.slice(path.lastIndexOf('/') + 1);
  const address = async (name: FileName): Promise<string> => addressOf(`${folder}/${name}`, await fileOf(name));
  restrictBrowser(reply, sources);
  reply.header('content-type', 'text/html; charset=utf-8');
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>GraphQL</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${await address('explorer.css')}" />
    <script type="module" src="${await address('explorer.js')}"></script>
  </head>
  <body>
    <main id="explorer"></main>
    <noscript>This page needs JavaScript.</noscript>
  </body>
</html>
`;
}

/** The routes of the script and the style of the explorer. */
export function explorerFiles(path: string): readonly Route[] {
  return (['explorer.css', 'explorer.js'] as const).map((name) =>
    pageFileRoute(`${path}/${name}`, null, async () => await fileOf(name)),
  );
}
