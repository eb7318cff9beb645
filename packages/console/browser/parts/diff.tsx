/** A model before and after an event: what it changed. */
import type { JSX } from 'preact';
import { differencesBetween, type Difference } from './differences.js';
import { JsonView } from './json-view.js';
import { Empty } from './states.js';
import { Status } from './status.js';
import { Table, type Column } from './table.js';
import { visibleText } from './visible-text.js';

const limit = 200;
const longestText = 300;

const tones = { added: 'ok', removed: 'bad', changed: 'warn' } as const;

/** Each value has a name of its own, so that screen readers tell the regions of a page apart. */
function columnsOf(label: string): readonly Column<Difference>[] {
  const value = ({ kind, pointer, before, after }: Difference, time: 'before' | 'after'): JSX.Element => (
    <Value
      value={time === 'before' ? before : after}
      isAbsent={kind === (time === 'before' ? 'added' : 'removed')}
      label={`${label}${pointer} ${time} the event`}
    />
  );
  return [
    { title: 'Change', kind: 'fit', cell: ({ kind }) => <Status tone={tones[kind]}>{kind}</Status> },
    { title: 'Place', cell: ({ pointer }) => <code>{pointer === '' ? 'whole model' : visibleText(pointer)}</code> },
    { title: 'Before', kind: 'long', cell: (difference) => value(difference, 'before') },
    { title: 'After', kind: 'long', cell: (difference) => value(difference, 'after') },
  ];
}

export function Diff({
  label,
  before,
  after,
}: {
  readonly label: string;
  readonly before: unknown;
  readonly after: unknown;
}): JSX.Element {
  const { items, isCut } = differencesBetween(before, after, limit);
  if (items.length === 0) return <Empty>The event does not change this model.</Empty>;
  return (
    <>
      <Table
        label={`What changed in ${label}`}
        columns={columnsOf(label)}
        rows={items}
        keyOf={({ pointer }) => pointer}
        empty=""
      />
      {isCut && <p class="note">The first {limit} changes. Open the models below to see all.</p>}
      <details class="whole-models">
        <summary>Whole models</summary>
        <div class="side-by-side">
          <div>
            <h4>Before</h4>
            <JsonView value={before} label={`${label} before`} />
          </div>
          <div>
            <h4>After</h4>
            <JsonView value={after} label={`${label} after`} />
          </div>
        </div>
      </details>
    </>
  );
}

interface ValueProps {
  readonly value: unknown;
  readonly isAbsent: boolean;
  readonly label: string;
}

function Value({ value, isAbsent, label }: ValueProps): JSX.Element {
  if (isAbsent) return <span class="none">–</span>;
  if (typeof value === 'object' && value !== null) return <JsonView value={value} label={label} />;
  const text = JSON.stringify(value) ?? '';
  return (
    <code>
      <bdi>{visibleText(text.length > longestText ? `${text.slice(0, longestText)}…` : text)}</bdi>
    </code>
  );
}
