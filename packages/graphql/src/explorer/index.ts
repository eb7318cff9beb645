/** The page for trying operations: GraphiQL, which loads only files of this service. */
import {
  addressOf,
  browserPage,
  builtPage,
  pageFileRoute,
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
  return browserPage(reply, {
    title: 'GraphQL',
    style: await address('explorer.css'),
    script: await address('explorer.js'),
    body: `<main>
      <h1>GraphQL</h1>
      <div id="explorer"></div>
    </main>
    <noscript>This page needs JavaScript.</noscript>`,
    sources,
  });
}

/** The routes of the script and the style of the explorer. */
export function explorerFiles(path: string): readonly Route[] {
  return (['explorer.css', 'explorer.js'] as const).map((name) =>
    pageFileRoute(`${path}/${name}`, null, async () => await fileOf(name)),
  );
}
