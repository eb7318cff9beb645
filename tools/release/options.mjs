/** The command line of a release. */
import { parseArgs } from 'node:util';

export const help = `npm run release -- [--dry-run] [--version <x.y.z>]
npm run release -- --prepare --version <x.y.z>

  --dry-run          check everything and pack the tarballs, but publish nothing
  --version <x.y.z>  the version to release (default: the version of @svc/core)
  --prepare          write the version into all manifests and today's date into CHANGELOG.md; commit both, then release

Without --dry-run, npm publishes the tarballs to the registry that it is configured for. An interrupted release can be
run again: it skips what the registry already has.
`;

/** Throws an error with the help if the arguments are wrong. */
export function readOptions(args) {
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        'dry-run': { type: 'boolean', default: false },
        version: { type: 'string' },
        prepare: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    throw new Error(`${error.message}\n\n${help}`, { cause: error });
  }
  const { 'dry-run': isDryRun, version, prepare: isPreparation, help: isHelp } = values;
  if (version !== undefined && !/^\d+\.\d+\.\d+(?:-[0-9a-z.-]+)?$/.test(version)) {
    throw new Error(`"${version}" is not a version such as 1.2.3 or 1.2.3-beta.1.\n\n${help}`);
  }
  if (isPreparation && version === undefined) throw new Error(`--prepare needs --version.\n\n${help}`);
  return { isDryRun, version, isPreparation, isHelp };
}
