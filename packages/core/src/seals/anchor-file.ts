/** Anchors in a file, at an HTTP endpoint and on standard output. */
import { open, readFile } from 'node:fs/promises';
import { ServiceError } from '../errors/index.js';
import type { AnchoredCheckpoint, CheckpointAnchor } from './anchor.js';

/** Options of `fileAnchor`. */
export interface FileAnchorOptions {
  /** Whether the file gets what the seal stores of each event, 43 bytes for each. Default: false. */
  readonly entries?: boolean;
  /** Default: `file:` and the path. */
  readonly name?: string;
}

/** Appends checkpoints to a file as JSON Lines, durably. Put it where the operators of the database cannot write. */
export function fileAnchor(path: string, options: FileAnchorOptions = {}): CheckpointAnchor {
  const { entries: withEntries = false, name = `file:${path}` } = options;
  return {
    name,
    async store({ checkpoint, entries }) {
      const file = await open(path, 'a', 0o600);
      try {
        // One write, so that a crash leaves one incomplete line at most. The next line begins a new one.
        await file.appendFile(`\n${lineOf({ checkpoint, ...(withEntries && entries && { entries }) })}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
    },
  };
}

/** Options of `httpAnchor`. */
export interface HttpAnchorOptions {
  /** Additional headers, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: `http:` and the URL without credentials and query. */
  readonly name?: string;
}

/** Sends each checkpoint to an HTTP endpoint as a POST of JSON. Every status but 2xx is a failure. */
export function httpAnchor(
  url: string,
  { headers = {}, name = nameOf(url) }: HttpAnchorOptions = {},
): CheckpointAnchor {
  return {
    name,
    async store({ checkpoint }, signal) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: lineOf({ checkpoint }),
        redirect: 'error',
        signal,
      });
      await response.body?.cancel();
      if (response.ok) return;
      throw new ServiceError('SVC_ANCHOR_FAILED', `The anchor ${name} answered with status ${response.status}.`);
    },
  };
}

/** Writes each checkpoint to standard output as a line of JSON, for hosts whose output is collected elsewhere. */
export function outputAnchor(
  write: (text: string) => unknown = (text) => process.stdout.write(text),
): CheckpointAnchor {
  return {
    name: 'output',
    store({ checkpoint }) {
      write(`${lineOf({ checkpoint })}\n`);
      return Promise.resolve();
    },
  };
}

/** Reads what `fileAnchor` and `outputAnchor` have written. Other lines, and an incomplete last one, are ignored. */
export async function readAnchorFile(path: string): Promise<readonly AnchoredCheckpoint[]> {
  const text = await readFile(path, 'utf8');
  return text.split('\n').flatMap((line) => {
    try {
      const { svcCheckpoint, entries } = JSON.parse(line) as { svcCheckpoint?: unknown; entries?: string };
      if (typeof svcCheckpoint !== 'string') return [];
      const bytes = typeof entries === 'string' ? { entries: Buffer.from(entries, 'base64') } : {};
      return [{ checkpoint: svcCheckpoint, ...bytes }];
    } catch {
      return [];
    }
  });
}

function lineOf({ checkpoint, entries }: AnchoredCheckpoint): string {
  const bytes = entries === undefined ? {} : { entries: Buffer.from(entries).toString('base64') };
  return JSON.stringify({ svcCheckpoint: checkpoint, ...bytes });
}

function nameOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `http:${origin}${pathname}`;
}
