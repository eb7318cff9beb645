import { commandEndpoint, messageOf } from '@svc/core';
import type { Command, Event, Receptor, ReceptorContext, Uuid } from '@svc/core';

/** What the command does: the API documentation shows this text. */
@commandEndpoint<TemplateName, { id: Uuid }>({ restRoute: '/template-name' })
export class TemplateName implements Command {
  id!: Uuid;
}

/** Stored events have the name of their class forever. Choose it before the first one is stored. */
export class TemplateNameDone implements Event {
  id!: Uuid;
}

export class TemplateNameReceptor implements Receptor<TemplateName, { id: Uuid }> {
  receive({ id }: TemplateName, context: ReceptorContext): { id: Uuid } {
    context.append(id, messageOf(TemplateNameDone, { id }));
    return { id };
  }
}
