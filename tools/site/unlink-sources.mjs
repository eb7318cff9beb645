/** A plugin of markdown-it: links to files of the repository become plain text, because the site has pages only. */
export function unlinkSources(markdown) {
  markdown.core.ruler.push('unlink-sources', ({ tokens }) => {
    for (const { children } of tokens) {
      if (children === null) continue;
      let isSource = false;
      for (const token of children) {
        if (token.type === 'link_open')
          isSource = /^(?:\.\.\/)+(?:(?:tests|packages|examples|bench|tools)\/|CHANGELOG)/.test(
            token.attrGet('href') ?? '',
          );
        if (!isSource || !token.type.startsWith('link_')) continue;
        if (token.type === 'link_close') isSource = false;
        token.hidden = true;
        token.tag = '';
        token.type = 'text';
        token.content = '';
      }
    }
  });
}
