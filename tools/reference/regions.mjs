/** Pages with generated regions: text by hand, and tables from the sources between two comments. */

/** `<!-- generated: <what> -->` begins a region, and `<!-- end -->` ends it. */
const region = /^<!-- generated: (.+?) -->\n.*?^<!-- end -->$/gms;

/** The page with new contents of its regions. `render` returns the lines of a region; undefined: there is no such region. */
export function withRegions(page, render) {
  return page.replaceAll(region, (_all, what) => {
    const lines = render(what);
    if (lines === undefined) throw new Error(`A page has the region "${what}", which has no generator.`);
    return [`<!-- generated: ${what} -->`, '', ...lines, '', '<!-- end -->'].join('\n');
  });
}

/** The names of the regions of a page. */
export function regionsOf(page) {
  return [...page.matchAll(region)].map(([, what]) => what);
}

/** A table of Markdown. A cell has no line breaks, and `|` is escaped. */
export function table(heads, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('\n', ' ').replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)];
}

/** Text outside of code, in which `<` would begin a tag. */
export function prose(text) {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '\\<')))
    .join('')
    .replaceAll(/\{@link (\w+)\}/g, '`$1`');
}

/** A page without the widths of its tables, which the formatter chooses. */
export function withoutWidths(page) {
  return page.replaceAll(/^\|.*\|$/gm, (line) => line.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---'));
}
