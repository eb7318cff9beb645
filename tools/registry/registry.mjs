/** A private registry with a folder of its own, and what npm needs to use it. */
import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const server = fileURLToPath(new URL('server.mjs', import.meta.url));

/**
 * Starts an empty registry. `npmrc` is a file with the npm settings of this user, and this registry for `scopes`: packages of other scopes
 * come from where npm of this machine finds them.
 */
export async function createRegistry(scopes = ['@svc']) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-registry-'));
  const child = fork(server, [folder], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const remove = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const url = await urlOf(child);
    const npmrc = join(folder, 'npmrc');
    writeFileSync(npmrc, npmSettings(url, scopes), { mode: 0o600 });
    return { url, npmrc, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

function urlOf(child) {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The registry ended with ${code}.\n${output}`)));
  });
}

function npmSettings(url, scopes) {
  const { host } = new URL(url);
  // npm publishes only with a token; this registry accepts any.
  const own = [...scopes.map((scope) => `${scope}:registry=${url}`), `//${host}/:_authToken=tests`];
  return [userSettings(), ...own, ''].join('\n');
}

function userSettings() {
  try {
    return readFileSync(process.env['npm_config_userconfig'] ?? join(homedir(), '.npmrc'), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}
