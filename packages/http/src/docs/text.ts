import { html, type Html } from './html.js';

/** Blank lines separate paragraphs; `code` is set in backticks. */
export function paragraphs(text: string | undefined): Html[] {
  if (text === undefined) return [];
  return text.split(/\n\s*\n/).map((paragraph) => html`<p>${inlineCode(paragraph)}</p>`);
}

function inlineCode(text: string): Html[] {
  return text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}
