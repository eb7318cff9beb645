import { DeployError, outcomeOf, platformOf, postChecks, preChecks, runChecks, type ChecksOutcome } from '@svc/deploy';
import { ExitCode, type Terminal } from '../terminal.js';
import { configOf, parse } from './arguments.js';
import { plaintextOption } from '../database/choose-database.js';
import { databaseAccess } from './database-access.js';
import { table } from '../table.js';

const marks = { passed: 'ok', failed: 'FAILED', skipped: 'skipped' } as const;

const conclusions = (when: 'pre' | 'post'): Readonly<Record<ChecksOutcome, string>> => ({
  passed: 'Passed.',
  failed: 'Failed.',
  unchecked: `Nothing was checked: every check was skipped. Configure at least one check in checks.${when} of deploy.json.`,
});

export async function check(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const values = parse(args, {
    pre: { type: 'boolean', default: false },
    post: { type: 'boolean', default: false },
    ...plaintextOption,
  } as const);
  if (values.pre === values.post) throw new DeployError('invalid', 'Pass either --pre or --post.');
  const config = await configOf(values);
  const checks = values.pre
    ? preChecks(config.checks, databaseAccess(values['allow-plaintext'] === true))
    : postChecks(config.checks, await platformOf(config));
  const results = await runChecks(checks, config.checks.timeoutMs, ({ name, status }) =>
    terminal.live?.(`${name}: ${marks[status]}`),
  );
  const outcome = outcomeOf(results);
  const passed = outcome === 'passed';
  if (values.json) {
    terminal.out(JSON.stringify({ passed, outcome, checks: results }));
  } else {
    terminal.out(
      table([
        ['check', 'result', 'time', 'detail'],
        ...results.map(({ name, status, ms, detail }) => [name, marks[status], `${ms} ms`, detail]),
      ]),
    );
    terminal.out(conclusions(values.pre ? 'pre' : 'post')[outcome]);
  }
  return passed ? ExitCode.ok : ExitCode.failed;
}
