/** Values as text: names, ids, times, numbers. */
import type { JSX } from 'preact';
import { formatted } from './formats.js';
import { href, type Query } from '../shell/router.js';
import { visibleText } from './visible-text.js';

/** Text of users and messages. It cannot change the direction of the text around it. */
export function Text({
  value,
  none = '–',
}: {
  readonly value: string | null | undefined;
  readonly none?: string;
}): JSX.Element {
  if (value === null || value === undefined || value === '') return <span class="none">{none}</span>;
  return <bdi>{visibleText(value)}</bdi>;
}

/** A link to a place of the console. */
export function Link({ to, query = {}, children, ...rest }: LinkProps): JSX.Element {
  return (
    <a href={href(to, query)} {...rest}>
      {children}
    </a>
  );
}

interface LinkProps {
  readonly to: readonly string[];
  readonly query?: Query;
  readonly children: JSX.Element | string | readonly (JSX.Element | string)[];
  readonly class?: string;
  readonly 'aria-label'?: string;
}

/** An id, shortened to its end, which differs between ids of the same time. The whole id is its tooltip. */
export function Id({
  value,
  to = null,
}: {
  readonly value: string | null;
  readonly to?: readonly string[] | null;
}): JSX.Element {
  if (value === null) return <span class="none">–</span>;
  const isUuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value);
  const text = <code title={value}>{isUuid ? `…${value.slice(-8)}` : visibleText(value)}</code>;
  return to === null ? text : <a href={href(to)}>{text}</a>;
}

/** An id as a whole, to be read and copied. */
export function WholeId({
  value,
  to = null,
}: {
  readonly value: string | null;
  readonly to?: readonly string[] | null;
}): JSX.Element {
  if (value === null) return <span class="none">–</span>;
  const text = <code class="whole">{visibleText(value)}</code>;
  return to === null ? text : <a href={href(to)}>{text}</a>;
}

/** A time in the time zone of the browser. */
export function Time({
  value,
  isRelative = false,
}: {
  readonly value: string | null;
  readonly isRelative?: boolean;
}): JSX.Element {
  if (value === null) return <span class="none">–</span>;
  const text = isRelative ? formatted.ago(value) : formatted.time(value);
  return (
    <time dateTime={value} title={isRelative ? formatted.time(value) : value}>
      {text}
    </time>
  );
}

export function Count({ value }: { readonly value: number | null }): JSX.Element {
  return value === null ? <span class="none">–</span> : <span class="count">{formatted.number(value)}</span>;
}
