/** Publishes tarballs to the registry that npm is configured for, one after the other, so that a package follows those that it needs. */
import { outputOf, run, runInTerminal } from './commands.mjs';

/** The registry that npm uses for a package: that of its scope, or the default. */
export function registryOf(root, name) {
  const keys = [`${name.split('/')[0]}:registry`, 'registry'];
  const lines = outputOf(root, 'npm', ['config', 'get', ...keys])
    .trim()
    .split('\n');
  const [scoped, usual] = lines.map((line) => line.slice(line.indexOf('=') + 1).trim());
  return scoped === 'undefined' ? usual : scoped;
}

/** Publishes what the registry does not have yet. */
export function publishAll(root, tarballs, print) {
  for (const [i, tarball] of tarballs.entries()) {
    const { name, version, file, integrity } = tarball;
    const published = publishedIntegrity(root, name, version);
    if (published === integrity) {
      print(`${name}@${version} is already published.`);
      continue;
    }
    if (published !== null) {
      throw new Error(
        `The registry has ${name}@${version} with other content. Versions cannot be replaced: release another version.`,
      );
    }
    // A version such as 1.2.3-beta.1 must not become what "npm install" chooses.
    const tag = version.includes('-') ? 'next' : 'latest';
    if (!runInTerminal(root, 'npm', ['publish', file, '--ignore-scripts', '--tag', tag, '--loglevel', 'error'])) {
      throw new Error(
        `Cannot publish ${name}@${version}. ${i} of ${tarballs.length} packages are published. Fix the cause above, then run the same command again: it resumes here.`,
      );
    }
  }
}

/** The integrity of a published version; null if the registry does not have it. */
function publishedIntegrity(root, name, version) {
  const args = ['view', `${name}@${version}`, 'dist.integrity', '--json', '--prefer-online'];
  const { status, stdout, stderr, error } = run(root, 'npm', args);
  if (error !== undefined) throw error;
  if (status === 0) return stdout.trim() === '' ? null : JSON.parse(stdout);
  if (`${stdout}${stderr}`.includes('E404')) return null;
  throw new Error(`Cannot read ${name}@${version} from the registry.\n${stderr}`);
}
