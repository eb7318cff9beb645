/** The frame of a view: its heading, which receives the focus after navigation, and its actions. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { title } from '../shell/session.js';

/** The first view must not take the focus from the start of the page. */
let hasNavigated = false;

export function View({ heading, label = null, actions = null, lead = null, children }: ViewProps): JSX.Element {
  const element = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${heading} · ${title.value} console`;
  }, [heading, title.value]);
  useEffect(() => {
    if (hasNavigated) element.current?.focus();
    hasNavigated = true;
  }, []);
  return (
    <>
      <header class="view-header">
        <div>
          {label !== null && <p class="view-label">{label}</p>}
          <h1 ref={element} tabIndex={-1}>
            <bdi>{heading}</bdi>
          </h1>
        </div>
        {actions !== null && <div class="actions">{actions}</div>}
      </header>
      {lead !== null && <p class="lead">{lead}</p>}
      {children}
    </>
  );
}

interface ViewProps {
  readonly heading: string;
  /** What the heading names: `Stream`. */
  readonly label?: string | null;
  readonly actions?: ComponentChildren;
  readonly lead?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a view with a heading of its own. */
export function Section({ heading, actions = null, children }: SectionProps): JSX.Element {
  return (
    <section class="section">
      <header class="section-header">
        <h2>{heading}</h2>
        {actions !== null && <div class="actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}

interface SectionProps {
  readonly heading: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Names and values. */
export function Facts({ of }: { readonly of: readonly (readonly [string, ComponentChildren])[] }): JSX.Element {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
