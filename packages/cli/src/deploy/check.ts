import { DeployError, outcomeOf, platformOf, postChecks, preChecks, runChecks, type ChecksOutcome } from '@svc/deploy';
import type { Call } from '../command-line/description.js';
import { ExitCode } from '../terminal.js';
import { configOf } from './arguments.js';
import { databaseAccess } from './database-access.js';
import { table } from '../table.js';

const marks = { passed: 'ok', failed: 'FAILED', skipped: 'skipped' } as const;

const conclusions = (when: 'pre' | 'post'): Readonly<Record<ChecksOutcome, string>> => ({
  passed: 'Passed.',
  failed: 'Failed.',
  unchecked: `Nothing was checked: every check was skipped. Configure at least one check in checks.${when} of deploy.json.`,
});

export async function check(call: Call): Promise<ExitCode> {
  const { options, json, terminal } = call;
  const isBefore = options.flag('pre');
  if (isBefore === options.flag('post')) throw new DeployError('invalid', 'Pass either --pre or --post.');
  const config = await configOf(call);
  const checks = isBefore
    ? preChecks(config.checks, databaseAccess(options.flag('allow-plaintext')))
    : postChecks(config.checks, await platformOf(config));
  const results = await runChecks(checks, config.checks.timeoutMs, ({ name, status }) =>
    terminal.live?.(`${name}: ${marks[status]}`),
  );
  const outcome = outcomeOf(results);
  const passed = outcome === 'passed';
  if (json) {
    terminal.out(JSON.stringify({ passed, outcome, checks: results }));
  } else {
    terminal.out(
      table([
        ['check', 'result', 'time', 'detail'],
        ...results.map(({ name, status, ms, detail }) => [name, marks[status], `${ms} ms`, detail]),
      ]),
    );
    terminal.out(conclusions(isBefore ? 'pre' : 'post')[outcome]);
  }
  return passed ? ExitCode.ok : ExitCode.failed;
}
