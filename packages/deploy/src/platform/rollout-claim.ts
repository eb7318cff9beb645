/** The process that changes a service. */
export interface Controller {
  readonly host: string;
  readonly pid: number;
  /** Distinguishes it from a later process with the same pid. */
  readonly born?: string;
}

/** The exclusive right to change a service: two concurrent changes would undo each other. */
export interface RolloutClaim {
  /** Unique, also among the claims of one controller. */
  readonly id: string;
  /** For display: `canary`, `rolling update`. */
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
