/** A request that failed: a problem of RFC 9457, or a service that does not answer. */

export interface Issue {
  readonly pointer?: string;
  readonly detail?: string;
}

interface ProblemBody {
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly Issue[];
  readonly code?: string;
}

export class Problem extends Error {
  override readonly name = 'Problem';
  /** 0: there was no response. */
  readonly status: number;
  readonly title: string;
  readonly issues: readonly Issue[];

  constructor(status: number, { title = 'The request failed', detail = '', errors = [] }: ProblemBody) {
    super(detail);
    this.status = status;
    this.title = title;
    this.issues = errors;
  }

  /** Whether the service may answer later: it restarts, or has too much to do. */
  get isTemporary(): boolean {
    return (
      this.status === 0 || this.status === 429 || this.status === 502 || this.status === 503 || this.status === 504
    );
  }
}

export function notReached(): Problem {
  return new Problem(0, {
    title: 'The service does not answer',
    detail: 'It may be restarting, or the network is interrupted. The console tries again by itself.',
  });
}

export async function problemIn(response: Response): Promise<Problem> {
  const text = await response.text();
  try {
    return new Problem(response.status, JSON.parse(text) as ProblemBody);
  } catch {
    return new Problem(response.status, { title: `Status ${response.status}`, detail: text.slice(0, 500) });
  }
}
