/**
 * Conditions in templates. A line that ends in `//? jwt` or `#? jwt` stays only if the condition holds. Lines between `#?begin jwt` and `#?end`, each on its
 * own line, stay together; so do those between `<!--?begin jwt-->` and `<!--?end-->`. The marks themselves are removed.
 */
export function withoutOtherLines(text: string, conditions: ReadonlySet<string>): string {
  const lines: string[] = [];
  let isKept = true;
  for (const line of text.split('\n')) {
    const begun = begin.exec(line);
    if (begun !== null) isKept = conditions.has(begun[1]!);
    else if (end.test(line)) isKept = true;
    else if (isKept) {
      const marked = trailing.exec(line);
      if (marked === null) lines.push(line);
      else if (conditions.has(marked[1]!)) lines.push(line.slice(0, marked.index));
    }
  }
  return lines.join('\n').replaceAll(/\n{3,}/g, '\n\n');
}

const begin = /^ *(?:#|<!--)\?begin (\w+)(?:-->)?$/;
const end = /^ *(?:#|<!--)\?end(?:-->)?$/;
const trailing = / (?:\/\/|#)\? (\w+)$/;
