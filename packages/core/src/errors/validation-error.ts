import { ServiceError } from './service-error.js';

/** One validation error of a message: where it is (a JSON Pointer, `''` for the whole message) and its description. */
export interface Issue {
  readonly pointer: string;
  readonly detail: string;
}

/** A message is invalid. Readers throw it with all issues; hooks and receptors can throw their own. */
export class ValidationError extends ServiceError {
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[], options?: ErrorOptions) {
    super('SVC_INVALID_MESSAGE', describe(issues), options);
    this.issues = issues;
  }
}

function describe(issues: readonly Issue[]): string {
  const [first] = issues;
  if (first === undefined) return 'The message is not valid.';
  const where = first.pointer === '' ? 'the message' : first.pointer;
  const more = issues.length === 1 ? '' : ` (and ${issues.length - 1} more)`;
  return `The message is not valid: ${where} ${first.detail}${more}.`;
}
