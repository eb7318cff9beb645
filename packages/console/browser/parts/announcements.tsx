/** Tells what an action did, also to screen readers. */
import { signal } from '@preact/signals';
import type { JSX } from 'preact';

const announced = signal<{ readonly text: string; readonly id: number } | null>(null);
const shownMs = 6_000;
let count = 0;

export function announce(text: string): void {
  const id = ++count;
  announced.value = { text, id };
  setTimeout(() => {
    if (announced.value?.id === id) announced.value = null;
  }, shownMs);
}

export function Announcements(): JSX.Element {
  return (
    <div class="announcements" role="status" aria-live="polite">
      {announced.value !== null && <p key={announced.value.id}>{announced.value.text}</p>}
    </div>
  );
}
