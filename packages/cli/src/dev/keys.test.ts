import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readKeys } from './keys.js';

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
