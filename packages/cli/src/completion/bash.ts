import { quoted, type CompletedOption, type Completions } from './completions.js';

/** Works with the bash of macOS, and without the package bash-completion. */
export function bashScript(completions: readonly Completions[]): string {
  const groups = completions.filter(({ isGroup }) => isGroup).map(({ path }) => path);
  return `# Completion of svc for bash: source <(npx svc completion bash)
_svc() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" command='' words=''
  COMPREPLY=()
  if ((COMP_CWORD > 1)); then command="\${COMP_WORDS[1]}"; fi
  if ((COMP_CWORD > 2)); then
    case "$command" in
      ${groups.join(' | ')}) command="$command \${COMP_WORDS[2]}" ;;
    esac
  fi
  case "$command" in
${completions.map(branchOf).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _svc svc
`;
}

function branchOf({ path, words, options }: Completions): string {
  const all = [...words.map(({ text }) => text), ...options.map(({ name }) => `--${name}`)];
  const values = options.flatMap((option) => valueOf(option));
  const cases = values.length === 0 ? '' : `\n      case "$previous" in\n${values.join('\n')}\n      esac`;
  return `    ${quoted(path)})${cases}
      words=${quoted(all.join(' '))}
      ;;`;
}

function valueOf({ name, value }: CompletedOption): readonly string[] {
  if (value === null) return [];
  const reply = value === 'file' ? '-f' : value === 'any' ? '' : `-W ${quoted(value.join(' '))}`;
  if (reply === '') return [`        --${name}) return ;;`];
  return [
    `        --${name})\n          COMPREPLY=($(compgen ${reply} -- "$current"))\n          return\n          ;;`,
  ];
}
