import type { JSX } from 'preact';

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'quiet';

/** A state as a word in a colour. The word alone says it. */
export function Status({ tone, children }: { readonly tone: Tone; readonly children: string }): JSX.Element {
  return <span class={`status ${tone}`}>{children}</span>;
}
