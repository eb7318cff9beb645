import { messageOf } from '../deploy-error.js';

/** A condition that must hold before or after a deployment. */
export interface Check {
  readonly name: string;
  /** Default: the timeout of the run. */
  readonly timeoutMs?: number;
  /** Resolves with what it found, or `Skipped` if it is not configured. Throws if the condition does not hold. */
  run(signal: AbortSignal): Promise<string | Skipped>;
}

/** The result of a check that is not configured, with the reason. */
export class Skipped {
  constructor(readonly reason: string) {}
}

/** The result of one check: its status, what it found, and how long it took. */
export interface CheckResult {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly detail: string;
  readonly ms: number;
}

/** `unchecked`: every check was skipped, so nothing is known about the deployment. */
export type ChecksOutcome = 'passed' | 'failed' | 'unchecked';

/** The outcome of all checks together: one failed check makes it `failed`. */
export function outcomeOf(results: readonly CheckResult[]): ChecksOutcome {
  if (results.some(({ status }) => status === 'failed')) return 'failed';
  return results.some(({ status }) => status === 'passed') ? 'passed' : 'unchecked';
}

/** Runs all checks one after the other, so that one run reports every problem. */
export async function runChecks(
  checks: readonly Check[],
  timeoutMs: number,
  onResult: (result: CheckResult) => void = () => {},
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of checks) {
    const result = await runCheck(check, check.timeoutMs ?? timeoutMs);
    results.push(result);
    onResult(result);
  }
  return results;
}

async function runCheck(check: Check, timeoutMs: number): Promise<CheckResult> {
  const started = performance.now();
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  // Not AbortSignal.timeout: its timer would let the process exit while a check hangs.
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      controller.abort();
      reject(new Error(`did not finish within ${timeoutMs} ms`));
    }, timeoutMs);
  });
  const ended = (status: CheckResult['status'], detail: string): CheckResult => ({
    name: check.name,
    status,
    detail,
    ms: Math.round(performance.now() - started),
  });
  try {
    const found = await Promise.race([check.run(controller.signal), late]);
    return found instanceof Skipped ? ended('skipped', found.reason) : ended('passed', found);
  } catch (error) {
    return ended('failed', messageOf(error));
  } finally {
    clearTimeout(timer);
  }
}
