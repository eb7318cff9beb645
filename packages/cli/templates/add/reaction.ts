import { messageOf, reaction, type Event, type Reaction, type ReactionContext, type Uuid } from '@svc/core';

/** Replace it with the event of your service that the reaction waits for. */
export class TemplateNameRequested implements Event {
  id!: Uuid;
}

export class TemplateNameDone implements Event {
  id!: Uuid;
}

@reaction({ from: 'now' })
export class TemplateName implements Reaction<TemplateNameRequested> {
  /** Runs once in effect for each event. Pass `context.key` to other systems as the idempotency key. */
  react({ id }: TemplateNameRequested, context: ReactionContext): void {
    context.append(id, messageOf(TemplateNameDone, { id }));
  }
}
