/** Programs that run as in a terminal outside of this checkout. */
import { spawn } from 'node:child_process';
import { delimiter, dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs npm with the settings of a file. */
export async function npm(args: readonly string[], { cwd, npmrc }: { cwd: string; npmrc: string }): Promise<string> {
  return await outputOf('npm', args, { cwd, env: outsideEnvironment(npmrc) });
}

/** The environment of a terminal: without what npm and Vitest add for their scripts, and without programs of the checkout. */
export function outsideEnvironment(npmrc: string): NodeJS.ProcessEnv {
  const own = /^(?:npm_|NODE_|VITEST|INIT_CWD$|TEST$|DEV$|PROD$|MODE$|BASE_URL$|SSR$)/;
  const kept = Object.entries(process.env).filter(([name]) => !own.test(name));
  const programs = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !isInside(root, folder));
  return {
    ...Object.fromEntries(kept),
    // First the Node that runs the tests, which may be in the checkout.
    PATH: [dirname(process.execPath), ...programs].join(delimiter),
    npm_config_userconfig: npmrc,
    npm_config_prefer_offline: 'true',
    npm_config_update_notifier: 'false',
  };
}

/** What a program prints. If it fails, the error has everything that it printed. */
export async function outputOf(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<string> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  if (code !== 0) throw new Error(`"${command} ${args.join(' ')}" ended with ${code}.\n${printed}\n${errors}`);
  return printed;
}

export function isInside(folder: string, path: string): boolean {
  return (path + sep).startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
