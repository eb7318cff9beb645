/** A JSON value as a tree. Nothing is rendered before it is opened, so that megabytes cost nothing. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { formatted } from './formats.js';
import { visibleText } from './visible-text.js';

/** Values with few entries are open to this depth. */
const openDepth = 3;
const openEntries = 30;
/** How many entries, and characters of a text, are shown at once. */
const entriesAtOnce = 100;
const charactersAtOnce = 1_000;

export function JsonView({ value, label }: { readonly value: unknown; readonly label: string }): JSX.Element {
  return (
    <div class="json scroll" role="region" aria-label={label} tabIndex={0}>
      <Entry name={null} value={value} depth={0} />
    </div>
  );
}

interface EntryProps {
  readonly name: string | null;
  readonly value: unknown;
  readonly depth: number;
}

function Entry({ name, value, depth }: EntryProps): JSX.Element {
  if (typeof value !== 'object' || value === null) {
    return (
      <div class="json-entry">
        <Name value={name} />
        <Leaf value={value} />
      </div>
    );
  }
  return <Branch name={name} value={value} depth={depth} />;
}

function Branch({ name, value, depth }: EntryProps & { readonly value: object }): JSX.Element {
  const entries = Object.entries(value);
  const isSmall = entries.length > 0 && entries.length <= openEntries;
  const [isOpen, setOpen] = useState(depth === 0 || (depth < openDepth && isSmall));
  const [shown, setShown] = useState(entriesAtOnce);
  const isArray = Array.isArray(value);
  if (entries.length === 0) {
    return (
      <div class="json-entry">
        <Name value={name} />
        <span class="json-null">{isArray ? 'empty array' : 'empty object'}</span>
      </div>
    );
  }
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Name value={name} />
        <span class="json-size">
          {isArray
            ? `array of ${formatted.number(entries.length)}`
            : formatted.count(entries.length, 'property', 'properties')}
        </span>
      </summary>
      {isOpen && (
        <div class="json-children">
          {entries.slice(0, shown).map(([key, child]) => (
            <Entry key={key} name={key} value={child} depth={depth + 1} />
          ))}
          {entries.length > shown && (
            <button type="button" class="link" onClick={() => setShown(shown + entriesAtOnce)}>
              Show {formatted.number(Math.min(entriesAtOnce, entries.length - shown))} more of{' '}
              {formatted.number(entries.length)}
            </button>
          )}
        </div>
      )}
    </details>
  );
}

function Name({ value }: { readonly value: string | null }): JSX.Element | null {
  return value === null ? null : (
    <span class="json-name">
      <bdi>{visibleText(value)}</bdi>:{' '}
    </span>
  );
}

function Leaf({ value }: { readonly value: unknown }): JSX.Element {
  const [shown, setShown] = useState(charactersAtOnce);
  if (typeof value !== 'string')
    return <span class={value === null ? 'json-null' : 'json-value'}>{String(value)}</span>;
  const rest = value.length - shown;
  return (
    <span class="json-text">
      <bdi>
        "{visibleText(value.slice(0, shown))}
        {rest > 0 ? '…' : '"'}
      </bdi>
      {rest > 0 && (
        // Ten times as many with each click: a text of megabytes is shown in a few, and never by accident.
        <button type="button" class="link" onClick={() => setShown(shown * 10)}>
          Show more of {formatted.number(value.length)} characters
        </button>
      )}
    </span>
  );
}
