/** A JSON document, or the beginning of a large one. */
import type { JSX } from 'preact';
import type { Document } from '../../src/contract/index.js';
import { formatted } from './formats.js';
import { JsonView } from './json-view.js';
import { visibleText } from './visible-text.js';

export function DocumentView({
  document,
  label,
}: {
  readonly document: Document;
  readonly label: string;
}): JSX.Element {
  if (document.isComplete) return <JsonView value={document.value} label={label} />;
  return (
    <>
      <p class="note">It has {formatted.bytes(document.bytes)}, too many to show. This is the beginning.</p>
      <pre class="scroll excerpt" role="region" aria-label={label} tabIndex={0}>
        <bdi>{visibleText(document.excerpt ?? '')}</bdi>
      </pre>
    </>
  );
}
