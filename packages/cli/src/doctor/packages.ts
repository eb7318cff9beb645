import { ok, problem, type Finding } from './finding.js';
import { findPackage, readPackage, svcPackages, type InstalledPackage } from './installed.js';
import { packageFolder } from '../package-folder.js';

/** Packages of which a service can only use one copy: instances of one copy are unknown to another. */
const single = ['@svc/core', 'fastify', 'graphql'];

export function checkPackages(folder: string): readonly Finding[] {
  const installed = svcPackages(folder);
  const core = installed.find(({ name }) => name === '@svc/core');
  if (core === undefined)
    return [problem('packages', '@svc/core is not installed.', 'Run npm install @svc/core in this folder.')];
  return [
    versionsOf([...installed, ownPackage()], core),
    ...single.flatMap((name) => copiesOf(name, folder, installed)),
  ];
}

/** The package of the running command. */
function ownPackage(): InstalledPackage {
  return readPackage(packageFolder);
}

function versionsOf(installed: readonly InstalledPackage[], core: InstalledPackage): Finding {
  const check = 'versions';
  const others = installed.filter(({ version }) => version !== core.version);
  if (others.length === 0) return ok(check, `all packages of svc are ${core.version}`);
  const named = others.map(({ name, version }) => `${name} ${version}`).join(', ');
  return problem(
    check,
    `@svc/core is ${core.version}, but there is ${named}.`,
    `Install the same version of all packages of svc: npm install ${others.map(({ name }) => `${name}@${core.version}`).join(' ')}`,
  );
}

/** The copies of a package that the service and the packages of svc import. */
function copiesOf(name: string, folder: string, installed: readonly InstalledPackage[]): readonly Finding[] {
  const check = `copies of ${name}`;
  const service = readPackage(folder, ['dependencies', 'devDependencies', 'peerDependencies']);
  const importers = [service, ...installed].filter(({ needs }) => needs.includes(name)).map((one) => one.folder);
  const found = importers.flatMap((from) => findPackage(name, from) ?? []);
  const copies = new Map(found.map((copy) => [copy.folder, copy]));
  if (copies.size === 0) return [];
  if (copies.size === 1) return [ok(check, `one, ${found[0]!.version}`)];
  const where = [...copies.values()].map((copy) => `${copy.version} in ${copy.folder}`).join(', ');
  return [
    problem(
      check,
      `${copies.size}: ${where}. Objects of one copy are unknown to the other.`,
      `Depend on one version of ${name}, then run npm dedupe. If a package is linked, install it instead (npm install --install-links).`,
    ),
  ];
}
