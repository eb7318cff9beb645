/** `svc reactions`: what it shows, what it changes, and that each change is recorded with its operator. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '@svc/cli';
import type { OperationEnded, OperationStarted, Service } from '@svc/core';
import { sqlite } from '@svc/sqlite';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { append, reactionOf, started, systemEvents } from './reaction-shop.js';

let file: string;
let service: Service;
let processed: string[];
let isFixed: boolean;

async function svc(...args: string[]): Promise<{ code: number; out: string; error: string }> {
  const [out, error]: [string[], string[]] = [[], []];
  const terminal = { out: (line: string) => void out.push(line), error: (line: string) => void error.push(line) };
  const code = await run(['reactions', ...args, '--database', file], terminal);
  return { code, out: out.join('\n'), error: error.join('\n') };
}

beforeEach(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-reactions-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  file = join(folder, 'data.db');
  [processed, isFixed] = [[], false];
  const failing = reactionOf({ name: 'Charging', retry: { attempts: 1 } }, ({ note }) => {
    if (note === 'bad' && !isFixed) throw new Error('the card is \u001b[31mrejected');
    processed.push(note);
  });
  service = await started([failing], sqlite({ file }));
});

const parked = async (): Promise<number> => {
  const { reactions } = JSON.parse((await svc('list', '--json')).out) as { reactions: { parked: number }[] };
  return reactions[0]!.parked;
};

describe('svc reactions', () => {
  it('lists reactions, shows failed streams with their errors, and retries and skips them', async () => {
    const stream = await append(service, 'bad');
    await append(service, 'after', stream);
    await expect.poll(parked).toBe(1);
    await service.idle();
    const listed = await svc('list');
    expect(listed.code).toBe(0);
    expect(listed.out).toMatch(/reaction +place +behind +waiting +parked +hosts/);
    expect(listed.out).toMatch(new RegExp(`Charging +\\d+ +\\d+ +- +1 stream +\\S+:${process.pid}`));
    const shown = (await svc('show', 'Charging')).out;
    expect(shown).toContain('0 streams wait for a retry, 1 is parked.');
    expect(shown).toContain(`${stream} at event 0`);
    expect(shown).toContain('1 attempt, parked: Error: the card is \\u001b[31mrejected');

    expect(await svc('skip', 'Charging', stream, '--as', 'ann')).toMatchObject({ code: 0 });
    await expect.poll(() => processed, { timeout: 5_000 }).toEqual(['after']);
    const second = await append(service, 'bad');
    await expect.poll(parked).toBe(1);
    isFixed = true;
    expect((await svc('retry', 'Charging', '--as', 'bob')).out).toBe('Charging retries 1 stream now.');
    await expect.poll(() => processed, { timeout: 5_000 }).toEqual(['after', 'bad']);
    expect(await svc('retry', 'Charging')).toMatchObject({ code: 0, out: 'Charging has no failed streams.' });
    const none = await svc('skip', 'Charging', second);
    expect([none.code, none.error]).toEqual([1, expect.stringContaining('has not failed at stream')]);

    const outcomes = async (): Promise<string[]> =>
      (await systemEvents(service, 'svc.OperationEnded')).map(
        ({ envelope }) => (envelope.payload as OperationEnded).outcome,
      );
    await expect.poll(outcomes, { timeout: 10_000 }).toEqual(['done', 'done', 'done', 'failed']);
    const starts = await systemEvents(service, 'svc.OperationStarted');
    const recorded = starts.map(({ envelope }) => envelope.payload as OperationStarted);
    expect(recorded.map(({ kind, target, requestedBy }) => [kind, target, requestedBy])).toEqual(
      expect.arrayContaining([
        ['reactions.skip', 'Charging', 'ann'],
        ['reactions.retry', 'Charging', 'bob'],
      ]) as unknown,
    );
    expect(recorded[0]!.arguments).toEqual({ stream });
  });

  it('pauses and resumes a reaction', async () => {
    expect((await svc('pause', 'Charging')).out).toBe('Charging is paused at place -1.');
    await append(service, 'good');
    await service.idle();
    expect(processed).toEqual([]);
    expect((await svc('list')).out).toMatch(/Charging .* paused/);
    expect((await svc('resume', 'Charging')).code).toBe(0);
    await expect.poll(() => processed, { timeout: 5_000 }).toEqual(['good']);
  });

  it.each([
    [['show'], 2, 'No reaction given.'],
    [['show', 'Other'], 1, 'has no reaction Other. It has Charging.'],
    [['skip', 'Charging'], 2, 'No stream given.'],
    [['retry', 'Charging', 'x'], 2, 'The stream must be a UUID, not "x".'],
    [['restart', 'Charging'], 2, 'Unknown command "svc reactions restart".'],
  ])('%j is rejected with what is wrong', async (args, code, message) => {
    const answer = await svc(...args);
    expect([answer.code, answer.error]).toEqual([code, expect.stringContaining(message)]);
  });
});
