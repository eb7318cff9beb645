/** docs/reference/interoperability.md: the table of rows with the results of a run. */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { longFolder, rows } from './rows.mjs';

export const pagePath = 'docs/reference/interoperability.md';

const headings = ['Client or suite', 'Version', 'What was run', 'Tests', 'Result'];

/** The cells of a row, except for the result. */
export function cellsOf(root, row) {
  const links = row.files.map(
    (file) => `[${file.slice(file.lastIndexOf('/') + 1)}](${relative('docs/reference', file)})`,
  );
  return [row.client, versionOf(root, row), row.what, links.join(', ')];
}

/** The installed version. The packages of long rows may not be installed yet: then the version that npm will install. */
function versionOf(root, row) {
  const folder = row.long ? join(root, longFolder) : root;
  const manifest = join(folder, 'node_modules', row.package, 'package.json');
  if (existsSync(manifest)) return JSON.parse(readFileSync(manifest, 'utf8')).version;
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  return lock.packages[`node_modules/${row.package}`].version;
}

/**
 * The counts of each row in a report of Vitest (`--reporter=json`).
 * A row without tests has failed: its file could not be loaded, or its tests have other names.
 */
export function resultsIn(root, report) {
  return rows.map(({ files, suite }) => {
    const found = report.testResults.filter(({ name }) => files.includes(relative(root, name).replaceAll('\\', '/')));
    const tests = found.flatMap(({ assertionResults }) =>
      assertionResults.filter(({ fullName }) => fullName.startsWith(suite)),
    );
    const passed = tests.filter(({ status }) => status === 'passed').length;
    const isComplete = files.every((file) =>
      found.some(
        ({ name, assertionResults }) =>
          name.endsWith(file) && assertionResults.some(({ fullName }) => fullName.startsWith(suite)),
      ),
    );
    return { passed, failed: tests.length - passed, isComplete };
  });
}

export const isGood = ({ passed, failed, isComplete }) => isComplete && failed === 0 && passed > 0;

function resultText(result) {
  if (isGood(result)) return `${result.passed} passed`;
  return `${result.passed} passed, ${result.failed} failed${result.isComplete ? '' : ', some did not run'}`;
}

export function interoperabilityPage(root, results, environment) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const table = [
    line(headings),
    line(headings.map(() => '---')),
    ...rows.map((row, i) => line([...cellsOf(root, row), resultText(results[i])])),
  ];
  return `# Interoperability

Clients, generators, conformance suites and hosts that people use with services, each as npm installs it, against a running svc service. A result
is the number of tests that passed in the last run of \`npm run interop\`, which writes this page. It runs without network access after npm
has installed the packages.

The last run: ${environment}.

${table.join('\n')}

\`npm test\` runs the same tests, with two exceptions: files that end in \`.long.ts\` run only with \`npm run interop\`, and the number of
requests that are generated from the OpenAPI document is smaller.
`;
}
