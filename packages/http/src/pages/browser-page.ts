import { restrictBrowser } from '../browser-headers.js';
import type { HostReply } from '../host.js';

/** A page for people. */
export interface BrowserPage {
  readonly title: string;
  /** The addresses of its style and its script, relative to the page. */
  readonly style: string;
  readonly script: string;
  /** The HTML inside `body`. */
  readonly body: string;
  /** What it loads, as directives such as `script-src 'self'`. */
  readonly sources: readonly string[];
}

/** Sets the headers of a page and returns its HTML. Nothing in it is inline. */
export function browserPage(reply: HostReply, { title, style, script, body, sources }: BrowserPage): string {
  restrictBrowser(reply, sources);
  reply.header('content-type', 'text/html; charset=utf-8');
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${escaped(title)}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${style}" />
    <script type="module" src="${script}"></script>
  </head>
  <body>
    ${body}
  </body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
