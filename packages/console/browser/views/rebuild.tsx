/** The request to rebuild a perspective. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../api/client.js';
import { Action } from '../parts/action.js';
import { textIn } from '../parts/form.js';
import { Field } from '../parts/field.js';

const modes = [
  [
    'BlueGreen',
    'Blue-green',
    'Builds a second copy of the models, and replaces the current ones when it has caught up. Queries are answered the whole time.',
  ],
  [
    'InPlace',
    'In place',
    'Deletes the models, then builds them again. Until it is done, queries return models that are missing or old.',
  ],
  [
    'SelectedStreams',
    'Selected streams',
    'Builds only the models of the streams that you list. All others stay as they are.',
  ],
] as const;

type Mode = (typeof modes)[number][0];

export function Rebuild({
  name,
  isDisabled,
  changed,
}: {
  readonly name: string;
  readonly isDisabled: boolean;
  readonly changed: () => void;
}): JSX.Element {
  const [mode, setMode] = useState<Mode>('BlueGreen');
  const fields = (
    <>
      <Field label="Mode">
        {(ids) => (
          <select {...ids} name="mode" value={mode} onChange={(event) => setMode(event.currentTarget.value as Mode)}>
            {modes.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      {mode === 'SelectedStreams' && (
        <Field label="Streams" hint="Ids, separated by spaces or commas.">
          {(ids) => <input {...ids} name="streams" required autoComplete="off" spellcheck={false} />}
        </Field>
      )}
      {mode !== 'InPlace' && (
        <Field label="Limit in events per second (optional)">
          {(ids) => <input {...ids} name="eventsPerSecond" type="number" min="1" />}
        </Field>
      )}
    </>
  );
  return (
    <Action
      label="Rebuild"
      question={`Rebuild ${name}?`}
      consequence={<p>{modes.find(([value]) => value === mode)![2]}</p>}
      fields={fields}
      isDestructive={mode === 'InPlace'}
      isDisabled={isDisabled}
      run={async (form) => {
        await call('POST /perspectives/:name/rebuild', { params: { name }, body: bodyOf(form, mode) });
        changed();
        return `Requested a rebuild of ${name}.`;
      }}
    />
  );
}

function bodyOf(form: FormData, mode: Mode): object {
  const streams = textIn(form, 'streams');
  const eventsPerSecond = textIn(form, 'eventsPerSecond');
  return {
    mode,
    reason: textIn(form, 'reason'),
    ...(streams !== undefined && { streams: streams.split(/[\s,]+/).filter(Boolean) }),
    ...(eventsPerSecond !== undefined && { eventsPerSecond: Number(eventsPerSecond) }),
  };
}
