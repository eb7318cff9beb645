/** The models of perspectives before and after an event. */
import type { JSX } from 'preact';
import type { ModelChange } from '../../src/contract/index.js';
import { call } from '../api/client.js';
import { useResource } from '../api/resource.js';
import { Diff } from '../parts/diff.js';
import { DocumentView } from '../parts/document.js';
import { formatted } from '../parts/formats.js';
import { Empty, Shown } from '../parts/states.js';
import { Text } from '../parts/texts.js';
import { Section } from '../parts/view.js';
import { visibleText } from '../parts/visible-text.js';

export function ModelChanges({ id }: { readonly id: string }): JSX.Element {
  const changes = useResource(id, (signal) => call('GET /events/:id/models', { params: { id }, signal }));
  return (
    <Section heading="Models before and after">
      <Shown of={changes}>
        {({ models }) =>
          models.length === 0 ? (
            <Empty>No perspective of this service handles events of this type.</Empty>
          ) : (
            models.map((model) => <Change key={model.perspective} model={model} />)
          )
        }
      </Shown>
    </Section>
  );
}

function Change({ model }: { readonly model: ModelChange }): JSX.Element {
  return (
    <article class="panel">
      <h3>
        <Text value={model.perspective} />
        {model.key !== null && <code class="model-key">{visibleText(model.key)}</code>}
      </h3>
      {model.status === 'known' ? <KnownChange model={model} /> : <ModelState model={model} />}
    </article>
  );
}

function KnownChange({ model: { perspective, before, after } }: { readonly model: ModelChange }): JSX.Element {
  const isWhole = before?.isComplete !== false && after?.isComplete !== false;
  if (isWhole) return <Diff label={perspective} before={before?.value ?? null} after={after?.value ?? null} />;
  return (
    <div class="side-by-side">
      {(
        [
          ['Before', before],
          ['After', after],
        ] as const
      ).map(([name, document]) => (
        <div key={name}>
          <h4>{name}</h4>
          {document === null ? (
            <Empty>No model.</Empty>
          ) : (
            <DocumentView document={document} label={`${perspective} ${name.toLowerCase()}`} />
          )}
        </div>
      ))}
    </div>
  );
}

const reasons = {
  none: 'The event belongs to no model of this perspective.',
  tooLong: 'The model has more events than the console applies.',
  shared: 'The model has data of other tenants, so it is not shown.',
} as const;

/** Why a model is not shown. */
export function ModelState({
  model,
}: {
  readonly model: Pick<ModelChange, 'status' | 'error' | 'events'>;
}): JSX.Element {
  const { status, error, events } = model;
  if (status === 'known') return <p class="note">Computed from {formatted.count(events, 'event')}.</p>;
  if (status === 'failed') {
    return (
      <p class="note">
        The perspective cannot apply its events: <Text value={error} none="no error is known" />. Fix its code, then
        retry the stream under Perspectives.
      </p>
    );
  }
  return <p class="note">{reasons[status]}</p>;
}
