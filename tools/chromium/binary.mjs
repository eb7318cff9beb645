/** Finds Chromium or Chrome, or installs Chromium in a container or on a build machine. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { install, mayInstall } from '../debian/install.mjs';

const missing =
  'No Chromium found: install it (Debian: apt-get install chromium, macOS: brew install --cask chromium), or install Chrome.';

export function findBinary() {
  const found = installed() ?? (mayInstall() && install('chromium') ? installed() : undefined);
  if (found === undefined) throw new Error(missing);
  return found;
}

const applications = ['Chromium', 'Google Chrome'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);

function installed() {
  const folders = [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), '/usr/bin'];
  return ['chromium', 'chromium-browser', 'google-chrome']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .concat(applications)
    .find((path) => existsSync(path));
}
