/**
 * All mutants of a file in one source: each asks at run time whether it is the active one. So a process that has loaded the sources runs
 * mutant after mutant. Line breaks stay where they are, as far as the originals go.
 */
export function instrument({ root, source, mutants }, firstNumber) {
  return render(root);

  function render(node) {
    const original = withParts(node);
    if (node.own.length === 0) return original;
    const conditions = node.own.map((index) => `svcMutant(${firstNumber + index})`);
    // In braces, so that an `else` stays with its `if`.
    if (node.isStatement) return `{if (!${conditions[0]}) {${original}}}`;
    const replaced = node.own.map((index, at) => `${conditions[at]} ? (${mutants[index].replacement}) : `);
    return `(${replaced.join('')}(${original}))`;
  }

  function withParts({ start, end, parts }) {
    let text = '';
    let from = start;
    for (const part of parts) {
      text += source.slice(from, part.start) + render(part);
      from = part.end;
    }
    return text + source.slice(from, end);
  }
}
