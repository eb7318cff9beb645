import { randomUUID } from 'node:crypto';
import type { RolloutClaim, RolloutClaims } from '../platform/index.js';
import { heldHere, requireFree, self } from './holder.js';
import { LostClaimError } from './lost-claim-error.js';

/** Three of them may get lost before others take the controller for gone. */
export const heartbeatMs = 25_000;

/** The claim of this process, for as long as it changes a service. */
export class HeldClaim {
  readonly #claims: RolloutClaims;
  readonly #claim: RolloutClaim;
  readonly #timer: NodeJS.Timeout;
  #lastBeat: Promise<void> = Promise.resolve();

  private constructor(claims: RolloutClaims, claim: RolloutClaim) {
    this.#claims = claims;
    this.#claim = claim;
    // By its own clock: what the controller does in between may take longer than others wait.
    this.#timer = setInterval(() => {
      this.#lastBeat = this.#lastBeat.then(() => this.#beat());
    }, heartbeatMs);
    this.#timer.unref();
  }

  /** Throws while somebody else is at it. What a controller left behind that is gone is no hindrance. */
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

  /** Throws when somebody else has taken over: after a pause that was too long, one is not alone any more. */
  async require(): Promise<void> {
    const current = await this.#claims.claim();
    if (current?.id !== this.#claim.id) throw new LostClaimError(current);
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#lastBeat;
    // Out of reach: the claim stays, and counts for nothing once this process is gone.
    await this.#claims.replaceClaim(this.#claim.id, null).catch(() => {});
    heldHere.delete(this.#claim.id);
  }

  async #beat(): Promise<void> {
    const seen = new Date().toISOString();
    // Whether it was lost is found out by what is to be changed next.
    await this.#claims.replaceClaim(this.#claim.id, { ...this.#claim, seen }).catch(() => {});
  }
}
