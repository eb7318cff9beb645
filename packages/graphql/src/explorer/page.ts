/** The explorer's page. It loads files only from this service and complies with a strict content security policy. */
export function explorerPage(path: string): string {
  const folder = `${path.slice(path.lastIndexOf('/') + 1)}/explorer`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>GraphQL</title>
    <link rel="stylesheet" href="${folder}.css" />
    <script type="module" src="${folder}.js"></script>
  </head>
  <body>
    <section aria-label="Schema">
      <h1>Mutations</h1>
      <ul id="mutations"></ul>
      <h2>Queries</h2>
      <ul id="queries"></ul>
      <h2>Types</h2>
      <div id="types"></div>
    </section>
    <section aria-label="Operation">
      <h2><label for="query">Operation</label></h2>
      <textarea id="query" spellcheck="false"></textarea>
      <h2><label for="variables">Variables</label></h2>
      <textarea id="variables" spellcheck="false"></textarea>
      <h2><label for="credential">Credential, as a header</label></h2>
      <input id="credential" autocomplete="off" spellcheck="false" placeholder="authorization: Bearer …" />
      <button id="run" type="button">Run (Ctrl+Enter)</button>
    </section>
    <section aria-label="Answer">
      <h2>Answer <span id="status" role="status"></span></h2>
      <pre id="answer"></pre>
    </section>
  </body>
</html>
`;
}
