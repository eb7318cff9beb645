/** The editors of GraphiQL, which have no name for screen readers, and their names. */
const names = {
  '.graphiql-query-editor': 'Operation',
  '.graphiql-editor-tool .graphiql-editor:nth-child(1)': 'Variables',
  '.graphiql-editor-tool .graphiql-editor:nth-child(2)': 'Headers',
  '.result-window': 'Result',
};

/** Names the editors. GraphiQL creates them after it has loaded, so every change is observed. */
export function nameEditors(page) {
  const name = () => {
    for (const [selector, text] of Object.entries(names)) {
      for (const editor of page.querySelectorAll(`${selector} textarea:not([aria-label])`)) {
        editor.setAttribute('aria-label', text);
      }
    }
  };
  new MutationObserver(name).observe(page, { childList: true, subtree: true });
}
