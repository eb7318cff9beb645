/** The process that changes a service. */
export interface Controller {
  readonly host: string;
  readonly pid: number;
  /** Tells it from another process that got its number later. */
  readonly born?: string;
}

/** Says who changes a service at the moment. Two at once would undo each other. */
export interface RolloutClaim {
  /** No other claim has it, not even a later one of the same controller. */
  readonly id: string;
  /** For people: `canary`, `rolling update`. */
  readonly what: string;
  readonly controller: Controller;
  /** When the controller was last seen, ISO 8601. */
  readonly seen: string;
}

export function parseClaim(text: string): RolloutClaim | null {
  try {
    const claim = JSON.parse(text) as RolloutClaim | null;
    return typeof claim?.id === 'string' && typeof claim.controller?.host === 'string' ? claim : null;
  } catch {
    return null;
  }
}
