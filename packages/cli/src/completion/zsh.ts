import { quoted, type CompletedOption, type Completions, type Word } from './completions.js';

export function zshScript(completions: readonly Completions[]): string {
  const groups = completions.filter(({ isGroup }) => isGroup).map(({ path }) => path);
  return `#compdef svc
# Completion of svc for zsh, after compinit: source <(npx svc completion zsh)
_svc() {
  local svc_command='' previous="\${words[CURRENT-1]}"
  local -a commands options
  if ((CURRENT > 2)); then svc_command="\${words[2]}"; fi
  if ((CURRENT > 3)); then
    case "$svc_command" in
      ${groups.join(' | ')}) svc_command="$svc_command \${words[3]}" ;;
    esac
  fi
  case "$svc_command" in
${completions.map(branchOf).join('\n')}
  esac
  if ((\${#commands})); then _describe 'command' commands; fi
  if ((\${#options})); then _describe -o 'option' options; fi
}
compdef _svc svc
`;
}

function branchOf({ path, words, options }: Completions): string {
  const dashed = options.map(({ name, summary }) => ({ text: `--${name}`, summary }));
  const values = options.flatMap((option) => valueOf(option));
  const cases = values.length === 0 ? '' : `\n      case "$previous" in\n${values.join('\n')}\n      esac`;
  return `    ${quoted(path)})${cases}
      commands=(${words.map(described).join(' ')})
      options=(${dashed.map(described).join(' ')})
      ;;`;
}

/** A colon ends the word. */
function described({ text, summary }: Word): string {
  return quoted(`${text}:${summary}`);
}

function valueOf({ name, value }: CompletedOption): readonly string[] {
  if (value === null) return [];
  if (value === 'any') return [`        --${name}) return ;;`];
  const reply = value === 'file' ? '_files' : `compadd -- ${value.join(' ')}`;
  return [`        --${name})\n          ${reply}\n          return\n          ;;`];
}
