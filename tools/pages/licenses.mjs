/** The licenses of the packages in a bundle, which have to be distributed with it. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const texts = /^(?:licen[cs]e|notice|copying)(?:[.-].*)?$|\.license\.txt$/i;

/** @param inputs the files in the bundle, relative to `root` */
export function licensesOf(root, inputs) {
  const folders = new Set(inputs.map(packageFolder).filter((folder) => folder !== null));
  return [...folders]
    .toSorted((one, other) => one.localeCompare(other, 'en'))
    .map((folder) => licenseOf(join(root, folder)))
    .join('\n');
}

function packageFolder(input) {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? null;
}

function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const found = readdirSync(folder).filter((file) => texts.test(file));
  if (license === undefined && found.length === 0) throw new Error(`${name} ${version} names no license.`);
  const parts = found.map((file) => `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`);
  return `${name} ${version}: ${license}\n${parts.join('')}`;
}
