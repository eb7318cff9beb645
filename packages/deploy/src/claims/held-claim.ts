import { randomUUID } from 'node:crypto';
import type { RolloutClaim, RolloutClaims } from '../platform/index.js';
import { heldHere, requireFree, self } from './holder.js';
import { LostClaimError } from './lost-claim-error.js';

/** Three heartbeats may get lost before others consider the controller gone. */
export const heartbeatMs = 25_000;

/** The claim that this process holds while it changes a service. */
export class HeldClaim {
  readonly #claims: RolloutClaims;
  readonly #claim: RolloutClaim;
  readonly #timer: NodeJS.Timeout;
  #lastBeat: Promise<void> = Promise.resolve();

  private constructor(claims: RolloutClaims, claim: RolloutClaim) {
    this.#claims = claims;
    this.#claim = claim;
    // A timer, because a single step of the controller may take longer than others wait.
    this.#timer = setInterval(() => {
      this.#lastBeat = this.#lastBeat.then(() => this.#beat());
    }, heartbeatMs);
    this.#timer.unref();
  }

  /** Throws while another controller is running. The claim of a controller that is gone is replaced. */
  static async take(claims: RolloutClaims, what: string): Promise<HeldClaim> {
    const claim = { id: randomUUID(), what, controller: await self(), seen: new Date().toISOString() };
    heldHere.add(claim.id);
    try {
      for (;;) {
        const current = await claims.claim();
        if (current !== null) await requireFree(current);
        if (await claims.replaceClaim(current?.id ?? null, claim)) return new HeldClaim(claims, claim);
      }
    } catch (error) {
      heldHere.delete(claim.id);
      throw error;
    }
  }

  /** Throws if another controller has taken over, which it may after a long pause of this process. */
  async require(): Promise<void> {
    const current = await this.#claims.claim();
    if (current?.id !== this.#claim.id) throw new LostClaimError(current);
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#lastBeat;
    // If the platform is unreachable, the claim stays; it becomes invalid when this process ends.
    await this.#claims.replaceClaim(this.#claim.id, null).catch(() => {});
    heldHere.delete(this.#claim.id);
  }

  async #beat(): Promise<void> {
    const seen = new Date().toISOString();
    // The next change detects a lost claim.
    await this.#claims.replaceClaim(this.#claim.id, { ...this.#claim, seen }).catch(() => {});
  }
}
