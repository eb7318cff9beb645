/** Checks, packs and publishes all packages: `npm run release -- --dry-run`. Works on the repository in the current folder. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runInTerminal } from '../tools/release/commands.mjs';
import { help, readOptions } from '../tools/release/options.mjs';
import { packAll, tarballTable } from '../tools/release/pack.mjs';
import { publishedPackages } from '../tools/release/packages.mjs';
import { prepare } from '../tools/release/prepare.mjs';
import { publishAll, registryOf } from '../tools/release/publish.mjs';
import { commitOf, treeFaults } from '../tools/release/tree.mjs';
import { changelogFaults, versionFaults } from '../tools/release/versions.mjs';

const root = process.cwd();

try {
  await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

async function main() {
  const { isDryRun, version: given, isPreparation, isHelp } = readOptions(process.argv.slice(2));
  if (isHelp) return console.log(help);
  const packages = publishedPackages(root);
  const version = given ?? packages[0].manifest.version;
  if (isPreparation) return prepareVersion(packages, version);

  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  reject([
    ...treeFaults(root, 'that are not committed'),
    ...versionFaults(packages, version),
    ...changelogFaults(changelog, version, isDryRun),
  ]);
  console.log(
    `Release of ${version} from ${commitOf(root)}${isDryRun ? ', dry run' : ''}: ${packages.length} packages`,
  );

  if (!runInTerminal(root, 'npm', ['run', '--silent', 'build'])) throw new Error('The build failed.');
  reject(treeFaults(root, 'after the build'));
  const tarballs = packAll(root, packages, join(root, '.cache/release', version));
  console.log(`\n${tarballTable(tarballs)}\n`);
  reject(await faultsOfAll(tarballs));
  console.log('publint and "are the types wrong" accept all tarballs.');

  const registry = registryOf(root, tarballs[0].name);
  if (isDryRun) {
    console.log(
      `\nNothing was published. The tarballs are in ${relative(root, join(root, '.cache/release', version))}.`,
    );
    console.log(`"npm run release" publishes them to ${registry}, in this order.`);
    return;
  }
  publishAll(root, tarballs, (line) => console.log(line));
  console.log(`\n${version} is on ${registry}. Tag it: git tag v${version} && git push origin v${version}`);
}

function prepareVersion(packages, version) {
  const changed = prepare(root, packages, version, new Date().toISOString().slice(0, 10));
  if (changed.length === 0) return console.log(`Everything has the version ${version} already.`);
  console.log(`Wrote ${version} into ${changed.length} files. Run "npm install", then commit the changes.`);
}

async function faultsOfAll(tarballs) {
  // Loaded here, because it takes a second and most mistakes are found before.
  const { faultsOfTarball } = await import('../tools/release/check-tarball.mjs');
  const faults = [];
  for (const { name, file } of tarballs) {
    for (const fault of await faultsOfTarball(readFileSync(file))) faults.push(`${name}: ${fault}`);
  }
  return faults;
}

function reject(faults) {
  if (faults.length > 0) throw new Error(`Cannot release:\n${faults.map((fault) => `- ${fault}`).join('\n')}`);
}
