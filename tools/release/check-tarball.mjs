/** Checks a packed package as its users will get it: by publint, and by "are the types wrong" for packages that are ES modules only. */
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { filterProblems, problemKindInfo } from '@arethetypeswrong/core/problems';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** The resolutions of TypeScript that can load ES modules. */
const resolutions = ['node16-esm', 'bundler'];

/** What is wrong with a tarball; empty if nothing is. `entryPoints` limits the check of types, which takes seconds for large ones. */
export async function faultsOfTarball(data, entryPoints) {
  const bytes = new Uint8Array(data);
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, level: 'warning', strict: true });
  const faults = messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`);
  // A package with programs only has no types.
  const isLibrary = pkg.exports !== undefined || pkg.main !== undefined;
  return isLibrary ? [...faults, ...(await typeFaults(bytes, entryPoints))] : faults;
}

async function typeFaults(bytes, entrypoints) {
  const analysis = await checkPackage(createPackageFromTarballData(bytes), { entrypoints });
  if (!analysis.types) return ['types: the package has no types.'];
  return resolutions.flatMap((resolutionKind) =>
    filterProblems(analysis, { resolutionKind }).map(
      ({ kind, entrypoint }) =>
        `types (${resolutionKind})${entrypoint === undefined ? '' : ` of "${entrypoint}"`}: ${problemKindInfo[kind].shortDescription}`,
    ),
  );
}
