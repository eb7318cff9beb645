/** A plugin of markdown-it: code blocks of the language mermaid become diagrams, which are named after their headings. */
export function diagrams(markdown) {
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info, content } = tokens[index];
    if (info.trim() !== 'mermaid') return fence(tokens, index, ...rest);
    const heading = tokens.slice(0, index).findLastIndex(({ type }) => type === 'heading_open');
    const name = heading === -1 ? 'Diagram' : `Diagram: ${tokens[heading + 1].content}`;
    return `<SvcDiagram code="${encodeURIComponent(content)}" name="${markdown.utils.escapeHtml(name)}" />`;
  };
}
