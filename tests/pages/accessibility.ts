import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules that depend on the theme. */
export const colourRules = ['color-contrast', 'link-in-text-block'];

/** What violates WCAG 2.2 AA on a page, with the elements. `rules`: tags or rules of axe. */
export async function violationsOn(page: Page, rules = wcag): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(axe);
  // The colours in the middle of a transition are not those of the page.
  await page.evaluate(`Promise.allSettled(document.getAnimations().map(({ finished }) => finished))`);
  return await page.evaluate(`axe
    .run({ runOnly: ${JSON.stringify(rules)} })
    .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`);
}

/** A violation in the markup of another project, which svc cannot change. */
export interface UpstreamViolation {
  readonly rule: string;
  /** A part of the HTML of its elements. */
  readonly element: string;
  readonly reason: string;
}

/** Expects no violations but these, and each of these: one that is fixed must leave the list. */
export async function expectOnly(upstream: readonly UpstreamViolation[], page: Page): Promise<void> {
  const violations = await violationsOn(page);
  const isOf = ({ rule, element }: UpstreamViolation, violation: string): boolean =>
    violation.startsWith(`${rule}: `) && violation.includes(element);
  expect(violations.filter((violation) => !upstream.some((known) => isOf(known, violation)))).toEqual([]);
  expect(upstream.filter((known) => !violations.some((violation) => isOf(known, violation)))).toEqual([]);
}
