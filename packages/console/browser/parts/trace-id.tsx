import type { JSX } from 'preact';
import { session } from '../shell/session.js';

/** The id of a trace, with a link to it if the host has told where traces are. */
export function TraceId({ value }: { readonly value: string | null }): JSX.Element {
  if (value === null) return <span class="none">not traced</span>;
  const text = <code class="whole">{value}</code>;
  const address = session.value?.traceUrl ?? null;
  return address === null ? text : <a href={address.replaceAll('{traceId}', value)}>{text}</a>;
}
