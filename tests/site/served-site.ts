/** The documentation, built as a site and served on a free port. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface ServedSite {
  readonly url: string;
  /** Where it was built. */
  readonly folder: string;
  stop(): Promise<void>;
}

/** Builds the site into a folder of its own. A link to a page that does not exist fails the build. */
export async function buildSite(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-site-'));
  const program = join(root, 'tools/site/node_modules/vitepress/bin/vitepress.js');
  if (!existsSync(program)) throw new Error('VitePress is not installed. Run "npm ci" in tools/site.');
  const args = [program, 'build', join(root, 'tools/site'), '--outDir', folder];
  const build = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [build.stdout, build.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const [code] = (await once(build, 'close')) as [number];
  if (code !== 0) throw new Error(`The site was not built:\n${output}`);
  return folder;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
};

/** Serves a built site as a static host does: `/guides/audit` is `guides/audit.html`. */
export async function serveSite(folder: string): Promise<ServedSite> {
  const server: Server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname));
    const file = [path, `${path}.html`, join(path, 'index.html')]
      .map((name) => join(folder, name))
      .find((name) => statSync(name, { throwIfNoEntry: false })?.isFile());
    if (file === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': types[extname(file)] ?? 'text/plain' }).end(readFileSync(file));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    folder,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
