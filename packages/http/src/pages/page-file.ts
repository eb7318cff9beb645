import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Gate } from '@svc/core/hosting';
import { addVary, restrictBrowser } from '../browser-headers.js';
import { queryOf } from '../host.js';
import type { Route } from '../routes/route.js';
import { acceptsGzip } from './accepts-gzip.js';

/** A file that a page loads, as the build has bundled it. */
export interface PageFile {
  /** Its content type. */
  readonly type: string;
  /** A hash of its content. */
  readonly version: string;
  /** Its content, compressed and in base64. */
  readonly gzip: string;
}

/** The address of a file in its page. It changes with the content, so browsers can store the file. */
export function addressOf(path: string, { version }: PageFile): string {
  return `${path}?v=${version}`;
}

/** A route that serves a file of a page. `load` is called for each request. */
export function pageFileRoute(path: string, gate: Gate | null, load: () => Promise<PageFile>): Route {
  return {
    method: 'GET',
    path,
    gate,
    readBody: null,
    handle: async (request, reply) => {
      const file = await load();
      const { type, version } = file;
      // An older page can ask for an older file, and gets this one.
      const isCurrent = queryOf(request)['v'] === version;
      restrictBrowser(reply);
      addVary(reply, 'Accept-Encoding');
      reply.header('content-type', type);
      reply.header('cache-control', isCurrent ? `${gate === null ? 'public' : 'private'}, ${oneYear}` : 'no-cache');
      const content = contentOf(file);
      if (!acceptsGzip(request.headers['accept-encoding'])) {
        content.plain ??= decompressed(content.compressed);
        return await content.plain;
      }
      reply.header('content-encoding', 'gzip');
      return content.compressed;
    },
  };
}

interface FileContent {
  readonly compressed: Buffer;
  /** Null: no client has asked for it. */
  plain: Promise<Buffer> | null;
}

/** All responses share the contents: a client can ask for many and read none. */
const contents = new WeakMap<PageFile, FileContent>();

function contentOf(file: PageFile): FileContent {
  let content = contents.get(file);
  if (content === undefined) {
    content = { compressed: Buffer.from(file.gzip, 'base64'), plain: null };
    contents.set(file, content);
  }
  return content;
}

const oneYear = 'max-age=31536000, immutable';
const decompressed = promisify(gunzip);

/** Loads a page that the build has bundled. */
export async function builtPage<TPage>(name: string, load: () => Promise<TPage>): Promise<TPage> {
  try {
    return await load();
  } catch (cause) {
    throw new Error(`Cannot load ${name}: its files are not built. Run "npm run build" in the repository of svc.`, {
      cause,
    });
  }
}
