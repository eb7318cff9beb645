import { commandFailures } from '@svc/core/hosting';

/**
 * The outcome of an operation. `refused`: rejected by a rule of the service, which is not an error; `conflict`: a concurrent change;
 * `unavailable`: the database or the broker; `failed`: a fault of the service.
 */
export type Outcome = 'ok' | 'refused' | 'conflict' | 'cancelled' | 'unavailable' | 'failed';

const outcomesOfCodes: Readonly<Record<string, Outcome>> = {
  ...Object.fromEntries(Object.keys(commandFailures).map((code) => [code, 'refused' as const])),
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

/** Whether the outcome is an error to investigate. */
export function isFault(outcome: Outcome): boolean {
  return outcome === 'failed' || outcome === 'unavailable';
}

const plainName = /^[A-Za-z_$][\w$]{0,99}$/;

/** The code of an svc error, or the name of another error. Never its message, which can contain anything. */
export function errorTypeOf(error: unknown): string {
  const code = codeOf(error);
  if (code?.startsWith('SVC_') === true && plainName.test(code)) return code;
  return error instanceof Error && plainName.test(error.name) ? error.name : '_OTHER';
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
