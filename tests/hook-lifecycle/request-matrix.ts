/** The parts of the hook lifecycle that need more than one row: shared items, cancellation, and the time of the response. */
import { CommandRejectedError } from '@svc/core';
import { expect, it } from 'vitest';
import { scriptedService, serving, type Script } from './scripted-service.js';
import type { Transport } from './transport.js';

export function describeRequests(transport: Transport): void {
  describeContext(transport);
  describeCancellation(transport);
  describeWaiting(transport);
}

const nothing = (): void => {};
const quiet = { before: nothing, after: nothing, error: () => null } satisfies Script;

function rejected(): never {
  throw new CommandRejectedError('out of books');
}

function describeContext(transport: Transport): void {
  it('shares the items between the hooks of one request, and gives each request its own', async () => {
    const found: unknown[] = [];
    const script: Script = {
      before: ({ name }, { items }) => {
        found.push(...items.keys());
        items.set('from before', name);
      },
      receive: ({ name }) => (name === 'pen' ? rejected() : name),
      after: (_command, _result, { items }) => void found.push(items.get('from before')),
      error: (_command, _error, { items }) => {
        found.push(items.get('from before'));
        return 'fallback';
      },
    };
    await serving(transport, script, async ({ running }) => {
      for (const name of ['book', 'pen', 'lamp']) await running.send({ name });
      expect(found).toEqual(['book', 'pen', 'lamp']);
    });
  });

  it('gives every hook and the receptor the signal of the request', async () => {
    const signals = new Set<AbortSignal>();
    const script: Script = {
      map: (request, signal) => (signals.add(signal), Object.assign(request, { name: 'pen' })),
      before: (_command, context, signal) => void signals.add(context.signal).add(signal),
      receive: (_command, context) => (signals.add(context.signal), rejected()),
      error: (_command, _error, context, signal) => (signals.add(context.signal).add(signal), 'fallback'),
    };
    await serving(transport, script, async ({ running }) => {
      await running.send({ name: 'book' });
      expect([...signals]).toEqual([expect.any(AbortSignal)]);
      expect([...signals].map((signal) => signal.aborted)).toEqual([false]);
    });
  });
}

function describeCancellation(transport: Transport): void {
  it('1: runs no hook if the client has disconnected before the command starts', async () => {
    const client = new AbortController();
    const script: Script = {
      ...quiet,
      map: async (request, signal) => {
        client.abort();
        await abortOf(signal);
        return Object.assign(request, {});
      },
    };
    await serving(transport, script, async ({ steps, placed, running }) => {
      expect(await running.send({ name: 'book' }, { abort: client.signal })).toEqual({ kind: 'gone' });
      await expect.poll(() => running.errors).toEqual([expect.objectContaining({ name: 'AbortError' })]);
      expect(steps).toEqual(['map']);
      expect(await placed()).toEqual([]);
    });
  });

  it('4b: passes a cancellation during dispatch to the error-hook, and commits nothing', async () => {
    const client = new AbortController();
    const given: unknown[] = [];
    const script: Script = {
      ...quiet,
      receive: async (_command, { signal }) => {
        client.abort();
        await abortOf(signal);
        signal.throwIfAborted();
      },
      error: (_command, error, context) => {
        given.push(error, context.signal.aborted);
        return null;
      },
    };
    await serving(transport, script, async ({ steps, placed, running }) => {
      expect(await running.send({ name: 'book' }, { abort: client.signal })).toEqual({ kind: 'gone' });
      await expect.poll(() => running.errors).toHaveLength(1);
      expect(given).toEqual([running.errors[0], true]);
      expect(given[0]).toMatchObject({ name: 'AbortError' });
      expect(steps).toEqual(['before', 'receive', 'error']);
      expect(await placed()).toEqual([]);
    });
  });

  it('3: commits nothing of a command whose receptor ignores that the client has disconnected', async () => {
    const client = new AbortController();
    const script: Script = {
      ...quiet,
      receive: async (_command, { signal }) => {
        client.abort();
        await abortOf(signal);
        return 'done all the same';
      },
    };
    await serving(transport, script, async ({ steps, placed, running }) => {
      await running.send({ name: 'book' }, { abort: client.signal });
      await expect.poll(() => steps).toEqual(['before', 'receive', 'error']);
      expect(await placed()).toEqual([]);
    });
  });

  it('does not abort the signal after the response, if the client disconnects later', async () => {
    const signals: AbortSignal[] = [];
    const { steps, service } = scriptedService({
      receive: (_command, { signal }) => void signals.push(signal),
    });
    const running = await transport.start(service);
    await running.send({ name: 'book' });
    await running.stop();
    expect(steps).toEqual(['receive']);
    expect(signals.map((signal) => signal.aborted)).toEqual([false]);
  });
}

function describeWaiting(transport: Transport): void {
  it('responds only after the after-hook has settled', async () => {
    let release = nothing;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const script: Script = { after: ({ name }) => (name === 'slow' ? gate : undefined) };
    await serving(transport, script, async ({ steps, running }) => {
      let answered = false;
      const slow = running.send({ name: 'slow' }).finally(() => (answered = true));
      await expect.poll(() => steps).toContain('after');
      // Another request completes first.
      await running.send({ name: 'fast' });
      expect(answered).toBe(false);
      release();
      expect(await slow).toEqual({ kind: 'result', result: 'placed slow' });
    });
  });
}

async function abortOf(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
