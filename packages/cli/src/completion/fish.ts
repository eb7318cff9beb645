import type { CompletedOption, Completions } from './completions.js';

export function fishScript(completions: readonly Completions[]): string {
  const groups = completions.filter(({ isGroup }) => isGroup).map(({ path }) => path);
  return `# Completion of svc for fish: npx svc completion fish | source
function __svc_command
    set -l tokens (commandline -opc)
    if test (count $tokens) -gt 2; and contains -- $tokens[2] ${groups.join(' ')}
        echo "$tokens[2] $tokens[3]"
    else if test (count $tokens) -gt 1
        echo $tokens[2]
    end
end
function __svc_at
    set -l at (__svc_command)
    test "$at" = "$argv[1]"
end
complete -c svc -e
complete -c svc -f
${completions.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ path, words, options }: Completions): readonly string[] {
  const at = `complete -c svc -n ${quoted(`__svc_at "${path}"`)}`;
  return [
    ...words.map(({ text, summary }) => `${at} -a ${quoted(text)} -d ${quoted(summary)}`),
    ...options.map(({ name, summary, value }) => `${at} -l ${name}${valueOf(value)} -d ${quoted(summary)}`),
  ];
}

function valueOf(value: CompletedOption['value']): string {
  if (value === null) return '';
  if (value === 'file') return ' -r -F';
  return value === 'any' ? ' -x' : ` -x -a ${quoted(value.join(' '))}`;
}

/** In fish, a backslash in single quotes escapes a quote and itself. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}
