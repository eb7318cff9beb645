import { failuresOfCommands } from '@svc/core/hosting';

/**
 * How something went. `refused`: by the service's own rules, which is no fault; `conflict`: somebody else was faster;
 * `unavailable`: the database or the broker; `failed`: the service's own fault.
 */
export type Outcome = 'ok' | 'refused' | 'conflict' | 'cancelled' | 'unavailable' | 'failed';

const outcomesOfCodes: Readonly<Record<string, Outcome>> = {
  ...Object.fromEntries(Object.keys(failuresOfCommands).map((code) => [code, 'refused' as const])),
  SVC_CONCURRENCY_CONFLICT: 'conflict',
  SVC_MESSAGE_SETTLED: 'conflict',
  SVC_PERSPECTIVE_MOVED: 'conflict',
  SVC_STORAGE_UNAVAILABLE: 'unavailable',
  SVC_TRANSPORT_UNAVAILABLE: 'unavailable',
};

export function outcomeOf(error: unknown): Outcome {
  const code = codeOf(error);
  if (code !== undefined && Object.hasOwn(outcomesOfCodes, code)) return outcomesOfCodes[code]!;
  return error instanceof Error && error.name === 'AbortError' ? 'cancelled' : 'failed';
}

/** Whether it is something to look into. */
export function isFault(outcome: Outcome): boolean {
  return outcome === 'failed' || outcome === 'unavailable';
}

const plainName = /^[A-Za-z_$][\w$]{0,99}$/;

/** The code of an error of ours, the name of another; never its text, which can hold anything. */
export function errorTypeOf(error: unknown): string {
  const code = codeOf(error);
  if (code?.startsWith('SVC_') === true && plainName.test(code)) return code;
  return error instanceof Error && plainName.test(error.name) ? error.name : '_OTHER';
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
