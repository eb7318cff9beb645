/** The filters of a view, which are in the address. */
import type { ComponentChildren, JSX } from 'preact';
import { Field, type FieldIds } from './field.js';
import { textIn } from './form.js';
import { place, setQuery } from '../shell/router.js';

export interface Filter {
  readonly name: string;
  readonly label: string;
  /** Default: text. */
  readonly kind?: 'text' | 'time' | 'choice';
  readonly choices?: readonly (readonly [value: string, label: string])[];
  readonly placeholder?: string;
}

/** Applied when the user submits the form, or chooses. */
export function Filters({
  of,
  actions = null,
}: {
  readonly of: readonly Filter[];
  readonly actions?: ComponentChildren;
}): JSX.Element {
  const { query } = place.value;
  const apply = (form: HTMLFormElement): void => {
    const values = new FormData(form);
    setQuery(Object.fromEntries(of.map((filter) => [filter.name, valueOf(filter, values)])));
  };
  const isFiltered = of.some(({ name }) => query.has(name));
  return (
    <form
      class="filters"
      role="search"
      aria-label="Filters"
      // Another set of filters, such as that of a link, replaces what is in the fields.
      key={query.toString()}
      onSubmit={(event) => {
        event.preventDefault();
        apply(event.currentTarget);
      }}
    >
      {of.map((filter) => (
        <Field key={filter.name} label={filter.label}>
          {(ids) => <Control ids={ids} filter={filter} value={query.get(filter.name) ?? ''} />}
        </Field>
      ))}
      <div class="actions">
        <button type="submit" class="primary">
          Search
        </button>
        {isFiltered && (
          <button type="button" onClick={() => setQuery(Object.fromEntries(of.map(({ name }) => [name, null])))}>
            Clear
          </button>
        )}
        {actions}
      </div>
    </form>
  );
}

function Control({
  ids,
  filter,
  value,
}: {
  readonly ids: FieldIds;
  readonly filter: Filter;
  readonly value: string;
}): JSX.Element {
  const { name, kind = 'text', choices = [], placeholder } = filter;
  if (kind === 'choice') {
    return (
      <select {...ids} name={name} value={value}>
        {choices.map(([choice, label]) => (
          <option key={choice} value={choice}>
            {label}
          </option>
        ))}
      </select>
    );
  }
  if (kind === 'time')
    return <input {...ids} name={name} type="datetime-local" step="1" defaultValue={localTime(value)} />;
  return (
    <input
      {...ids}
      name={name}
      type="text"
      defaultValue={value}
      placeholder={placeholder}
      autoComplete="off"
      spellcheck={false}
    />
  );
}

function valueOf({ name, kind }: Filter, values: FormData): string {
  const value = (textIn(values, name) ?? '').trim();
  return kind === 'time' && value !== '' ? new Date(value).toISOString() : value;
}

/** An ISO time as the field for local times shows it. */
function localTime(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
