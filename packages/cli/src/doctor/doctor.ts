import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { counted } from '../counted.js';
import type { Call } from '../command-line/description.js';
import { readEnvironmentFile } from '../database/environment-file.js';
import { UsageError } from '../failures.js';
import { printable } from '../printable.js';
import { paint } from '../styles.js';
import { ExitCode, type Terminal } from '../terminal.js';
import { checkBroker } from './broker.js';
import { checkDatabases } from './databases.js';
import { problem, type Finding } from './finding.js';
import { checkGenerated } from './generated.js';
import { checkNode } from './node.js';
import { checkPackages } from './packages.js';
import { checkTestRunner } from './test-runner.js';
import { checkTypeScript } from './typescript.js';

/** How long a check may take. */
const limitMs = 60_000;

type Check = (folder: string, call: Call) => Promise<readonly Finding[]> | readonly Finding[];

const checks: Readonly<Record<string, Check>> = {
  node: () => checkNode(process.versions.node),
  packages: checkPackages,
  typescript: checkTypeScript,
  generated: checkGenerated,
  tests: checkTestRunner,
  database: (_, call) => checkDatabases(call),
  broker: checkBroker,
};

/** Checks a service and what it needs. A check that fails does not stop the next one. */
export async function doctor(call: Call): Promise<ExitCode> {
  const { options, json, terminal } = call;
  const folder = resolve(options.defaulted('project'));
  if (!existsSync(join(folder, 'package.json')))
    throw new UsageError(
      `${folder} has no package.json. Run svc doctor in the folder of a service, or pass --project.`,
    );
  readEnvironmentFile(options.text('database'), folder);
  const findings: Finding[] = [];
  for (const [name, check] of Object.entries(checks)) {
    if (!json) terminal.live?.(`Checking ${name}`);
    const found = await withinLimit(name, () => check(folder, call));
    findings.push(...found);
    if (!json) for (const finding of found) terminal.out(textOf(finding, terminal));
  }
  const problems = findings.filter(({ status }) => status === 'problem').length;
  if (json) terminal.out(JSON.stringify({ isHealthy: problems === 0, findings }, null, 2));
  else terminal.out(`\n${summaryOf(problems, findings.filter(({ status }) => status === 'warning').length)}`);
  return problems === 0 ? ExitCode.ok : ExitCode.failed;
}

async function withinLimit(name: string, check: () => ReturnType<Check>): Promise<readonly Finding[]> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<readonly Finding[]>((end) => {
    const finding = problem(name, `The check did not end within ${limitMs / 1000} s.`, 'Check what it connects to.');
    timer = setTimeout(() => end([finding]), limitMs);
  });
  try {
    return await Promise.race([check(), late]);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    return [problem(name, `The check failed: ${why}`, 'Fix what the message names, and run svc doctor again.')];
  } finally {
    clearTimeout(timer);
  }
}

const colors = { ok: 'green', warning: 'yellow', problem: 'red', skipped: 'bold' } as const;
const width = Math.max(...Object.keys(colors).map((status) => status.length));

function textOf({ check, status, detail, fix }: Finding, { colors: allowed }: Terminal): string {
  const mark = paint(allowed?.out, colors[status], status.padEnd(width));
  const line = `${mark}  ${check}: ${printable(detail)}`;
  return fix === null ? line : `${line}\n${' '.repeat(width)}  fix: ${printable(fix)}`;
}

function summaryOf(problems: number, warnings: number): string {
  if (problems + warnings === 0) return 'No problems.';
  return `${counted(problems, 'problem')}, ${counted(warnings, 'warning')}.`;
}
