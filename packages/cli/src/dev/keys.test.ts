import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openPage, readKeys } from './keys.js';

/** What a terminal does, and its modes. */
function terminal(isTTY: boolean) {
  const modes: boolean[] = [];
  const setRawMode = (isRaw: boolean): void => void modes.push(isRaw);
  return { input: Object.assign(new PassThrough(), { isTTY, setRawMode }) as unknown as NodeJS.ReadStream, modes };
}

function read(input: NodeJS.ReadStream) {
  const pressed: string[] = [];
  const stop = readKeys(
    {
      open: () => pressed.push('open'),
      restart: () => pressed.push('restart'),
      quit: () => pressed.push('quit'),
    },
    input,
  );
  return { pressed, stop };
}

describe('readKeys', () => {
  it('reads single keys, and Ctrl-C, until it stops', async () => {
    const { input, modes } = terminal(true);
    const { pressed, stop } = read(input);
    input.push('or');
    input.push('x');
    input.push('\u0003');
    await expect.poll(() => pressed).toEqual(['open', 'restart', 'quit']);
    stop();
    expect(modes).toEqual([true, false]);
    expect(input.listenerCount('data')).toBe(0);
  });

  it('reads nothing without a terminal', () => {
    const { input, modes } = terminal(false);
    read(input).stop();
    expect([modes, input.listenerCount('data')]).toEqual([[], 0]);
  });
});

describe('openPage', () => {
  const url = 'http://127.0.0.1:3000/docs';
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-browser-'));
    vi.stubEnv('PATH', folder);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  /** The program that opens pages on this platform, written by the test. */
  const writeOpener = (script: string): void => {
    const name = process.platform === 'darwin' ? 'open' : 'xdg-open';
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  };
  it('passes the URL to the program that opens pages', async () => {
    writeOpener(`echo "$1" > "${join(folder, 'page')}"`);
    const onFailure = vi.fn<() => void>();
    openPage(url, onFailure);
    const page = (): string => readFileSync(join(folder, 'page'), 'utf8');
    await expect.poll(page, { timeout: 30_000 }).toBe(`${url}\n`);
    expect(onFailure).not.toHaveBeenCalled();
  });

  it('reports a program that is missing, or that finds no browser', async () => {
    await new Promise<void>((resolve) => openPage(url, resolve));
    writeOpener('exit 3');
    await new Promise<void>((resolve) => openPage(url, resolve));
  });
});
