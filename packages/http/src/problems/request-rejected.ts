import type { ProblemName } from './problem-types.js';

/** A request that the host rejects on purpose, such as one above a limit. It is no failure: the log has its reason, but no stack. */
export class RequestRejected extends Error {
  override readonly name: string = 'RequestRejected';
  readonly problem: ProblemName;
  readonly headers: Readonly<Record<string, string>>;

  /** @param detail for the caller and for the log */
  constructor(problem: ProblemName, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail);
    this.problem = problem;
    this.headers = headers;
  }
}
