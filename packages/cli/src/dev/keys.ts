import { spawn } from 'node:child_process';

/** What a key does. */
export interface KeyActions {
  readonly open: () => void;
  readonly restart: () => void;
  readonly quit: () => void;
}

const controlC = '\u0003';

/** Reads single keys until the returned function is called. Without a terminal there are no keys. */
export function readKeys(actions: KeyActions, input: NodeJS.ReadStream = process.stdin): () => void {
  if (!input.isTTY) return () => {};
  const pressed = (data: Buffer): void => {
    for (const key of data.toString('utf8')) {
      if (key === 'o') actions.open();
      else if (key === 'r') actions.restart();
      // A terminal in this mode does not send SIGINT.
      else if (key === 'q' || key === controlC) actions.quit();
    }
  };
  input.setRawMode(true);
  input.resume();
  input.on('data', pressed);
  return () => {
    input.removeListener('data', pressed);
    input.setRawMode(false);
    input.pause();
  };
}

/** Opens a page in the browser of the user; calls back if that is not possible. */
export function openPage(url: string, onFailure: () => void): void {
  const child = spawn(programs[process.platform] ?? 'xdg-open', [url], { stdio: 'ignore', detached: true });
  child.once('error', onFailure);
  // That of Windows ends with 1 in any case.
  if (process.platform !== 'win32') child.once('exit', (code) => code !== 0 && onFailure());
  child.unref();
}

const programs: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer.exe' };
