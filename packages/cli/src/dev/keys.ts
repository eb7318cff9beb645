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
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['explorer.exe', url]
        : ['xdg-open', url];
  const child = spawn(program!, args, { stdio: 'ignore', detached: true });
  child.once('error', onFailure);
  child.unref();
}
