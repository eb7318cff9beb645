import { perspective, type AppliedEvent, type Event, type Perspective, type Uuid } from '@svc/core';

/** Replace it with the events of your service that change the model. */
export class TemplateNameChanged implements Event {
  id!: Uuid;
}

export interface TemplateNameModel {
  id: Uuid;
  changedAt: Date;
}

/** Callers read the models at `GET /template-name` and `GET /template-name/<id>`. */
@perspective({ route: '/template-name', indexed: ['changedAt'] })
export class TemplateName implements Perspective<TemplateNameModel, TemplateNameChanged> {
  apply(_model: TemplateNameModel | null, { id }: TemplateNameChanged, { timestamp }: AppliedEvent): TemplateNameModel {
    return { id, changedAt: timestamp };
  }
}
