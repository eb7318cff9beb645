/** The models of a stream at any of its positions. The position is in the address. */
import type { JSX } from 'preact';
import type { StreamModel } from '../../src/contract/index.js';
import { call } from '../api/client.js';
import { useResource } from '../api/resource.js';
import { DocumentView } from '../parts/document.js';
import { Field } from '../parts/field.js';
import { Empty, Shown } from '../parts/states.js';
import { Link, Text, Time } from '../parts/texts.js';
import { Section } from '../parts/view.js';
import { visibleText } from '../parts/visible-text.js';
import { place, setQuery } from '../shell/router.js';
import { ModelState } from './model-changes.js';

export function TimeTravel({ id, length }: { readonly id: string; readonly length: number }): JSX.Element {
  const last = length - 1;
  const asked = Number(place.value.query.get('position') ?? last);
  const position = Number.isInteger(asked) && asked >= 0 && asked <= last ? asked : last;
  const models = useResource(`${id} ${position}`, (signal) =>
    call('GET /streams/:id/models', { params: { id }, query: { position }, signal }),
  );
  const move = (to: number): void => setQuery({ position: to });
  return (
    <Section heading="Models at a position">
      <div class="panel travel">
        <Field label={`Position ${position} of ${last}`}>
          {(ids) => (
            <input
              {...ids}
              type="range"
              min={0}
              max={last}
              value={position}
              // While the user drags, every position would be a request.
              onChange={(event) => move(Number(event.currentTarget.value))}
            />
          )}
        </Field>
        <div class="actions">
          <button type="button" disabled={position === 0} onClick={() => move(0)}>
            First
          </button>
          <button type="button" disabled={position === 0} onClick={() => move(position - 1)}>
            Previous
          </button>
          <button type="button" disabled={position === last} onClick={() => move(position + 1)}>
            Next
          </button>
          <button type="button" disabled={position === last} onClick={() => move(last)}>
            Last
          </button>
        </div>
      </div>
      <Shown of={models}>
        {({ eventId, at, models: found, isComplete }) => (
          <>
            <p>
              After <Link to={['events', eventId]}>the event at position {String(position)}</Link> of{' '}
              <Time value={at} />.
            </p>
            {found.length === 0 && <Empty>No perspective handles events of this stream.</Empty>}
            {found.map((model) => (
              <Model key={`${model.perspective} ${model.key}`} model={model} />
            ))}
            {!isComplete && (
              <p class="note">
                Further models have events of this stream. Open an event to see the models that it changed.
              </p>
            )}
          </>
        )}
      </Shown>
    </Section>
  );
}

function Model({ model }: { readonly model: StreamModel }): JSX.Element {
  return (
    <article class="panel">
      <h3>
        <Text value={model.perspective} />{' '}
        {model.key !== null && <code class="model-key">{visibleText(model.key)}</code>}
      </h3>
      <ModelState model={model} />
      {model.status === 'known' &&
        (model.model === null ? (
          <Empty>There is no model at this position.</Empty>
        ) : (
          <DocumentView document={model.model} label={model.perspective} />
        ))}
    </article>
  );
}
