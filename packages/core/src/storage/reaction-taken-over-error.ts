import { ServiceError } from '../errors/index.js';

/** Another host runs the reaction now, or an operator has changed it. Nothing is committed. */
export class ReactionTakenOverError extends ServiceError {
  constructor(reaction: string) {
    super(
      'SVC_REACTION_TAKEN_OVER',
      `Another host has taken over the reaction ${reaction}, or an operator has changed it. The event is processed again.`,
    );
  }
}
