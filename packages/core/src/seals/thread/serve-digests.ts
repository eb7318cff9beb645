import { parentPort } from 'node:worker_threads';
import type { DigestedEvents, Storage } from '../../storage/index.js';
import { digestNext } from '../digest-next.js';
import { Frontier } from '../merkle-tree.js';
import { readLog } from '../sealed-log.js';
import type { Request, Response } from './messages.js';

/** Larger than where other work of the thread waits for its turn. */
const pageSize = 2_000;

/** Digests events for the thread that started this one, until that one asks to close the storage. */
export function serveDigests(storage: Storage): void {
  const port = parentPort!;
  let previous = Promise.resolve();
  const handle = async (request: Request): Promise<void> => {
    if (request.kind === 'digest') return port.postMessage(await responseTo(storage, request));
    await storage.close();
    port.close();
  };
  port.on('message', (request: Request) => {
    previous = previous.then(() => handle(request));
  });
}

async function responseTo(storage: Storage, request: Request & { readonly kind: 'digest' }): Promise<Response> {
  try {
    const { sequence, size, frontier } = request;
    const before = Frontier.of(size, frontier);
    if (before === null)
      throw new Error(`The frontier has ${frontier.length} bytes, which is wrong for ${size} events.`);
    const pages = readLog(storage, sequence, pageSize);
    return { kind: 'digested', events: ownBytes(await digestNext({ pages, pageSize }, before)) };
  } catch (error) {
    return { kind: 'failed', error: new Error(error instanceof Error ? error.message : String(error)) };
  }
}

/** A message copies the whole memory that bytes are a part of. */
function ownBytes(events: DigestedEvents | null): DigestedEvents | null {
  return events && { ...events, frontier: new Uint8Array(events.frontier), entries: new Uint8Array(events.entries) };
}
