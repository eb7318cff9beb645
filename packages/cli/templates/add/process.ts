import { messageOf, process, type Event, type Process, type ProcessContext, type Uuid } from '@svc/core';

/** Replace these with the events of your service that the process coordinates. */
export class TemplateNameStarted implements Event {
  id!: Uuid;
}

export class TemplateNameApproved implements Event {
  id!: Uuid;
}

export class TemplateNameFinished implements Event {
  id!: Uuid;
}

type TemplateNameEvent = TemplateNameStarted | TemplateNameApproved;

export interface TemplateNameState {
  readonly isStarted: boolean;
  readonly isApproved: boolean;
}

@process({ from: 'now' })
export class TemplateName implements Process<TemplateNameState, TemplateNameEvent> {
  initial(): TemplateNameState {
    return { isStarted: false, isApproved: false };
  }

  /** The instance to which an event belongs. */
  keyOf({ id }: TemplateNameEvent): string {
    return id;
  }

  evolve(state: TemplateNameState, event: TemplateNameEvent): TemplateNameState {
    return event instanceof TemplateNameStarted ? { ...state, isStarted: true } : { ...state, isApproved: true };
  }

  /** Decides from the state, because events can arrive in any order. */
  react({ id }: TemplateNameEvent, context: ProcessContext<TemplateNameState>): void {
    if (!context.state.isStarted || !context.state.isApproved) return;
    context.append(id, messageOf(TemplateNameFinished, { id }));
    context.complete();
  }
}
