/** All packages have one version, accept it from each other, and the changelog describes it. */
import { rangesOf } from './packages.mjs';

/** What contradicts a version; empty if nothing does. */
export function versionFaults(packages, version) {
  return packages.flatMap(({ manifest, needs }) => {
    const ranges = rangesOf(manifest);
    return [
      ...(manifest.version === version
        ? []
        : [`${manifest.name} has the version ${manifest.version}, not ${version}.`]),
      ...needs
        .filter((name) => ranges[name] !== `^${version}`)
        .map((name) => `${manifest.name} needs ${name} ${ranges[name]}, not ^${version}.`),
    ];
  });
}

/** What is missing in the changelog. A dry run accepts a section without a date. */
export function changelogFaults(text, version, isDryRun) {
  const heading = headingOf(text, version);
  if (heading === undefined)
    return [`CHANGELOG.md has no section "## ${version} - <date>". Write what the version offers.`];
  if (isDryRun || /\d{4}-\d\d-\d\d$/.test(heading)) return [];
  return [
    `The section "${heading}" of CHANGELOG.md has no date. Run "npm run release -- --prepare --version ${version}".`,
  ];
}

export function headingOf(text, version) {
  return text.split('\n').find((line) => line === `## ${version}` || line.startsWith(`## ${version} `));
}
