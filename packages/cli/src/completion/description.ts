import type { CommandDescription } from '../command-line/description.js';

export const completion: CommandDescription = {
  details: [
    'The script has the commands, options and values of this version. Load it in the file that your shell reads at its start, so that it follows upgrades. It does not run svc when you press Tab.',
  ],
  arguments: { shell: { summary: 'bash, zsh or fish', values: ['bash', 'zsh', 'fish'] } },
  json: '{shell, script}',
  examples: {
    'svc completion bash': 'print the script; in ~/.bashrc: source <(npx svc completion bash)',
    'svc completion zsh': 'the same; in ~/.zshrc, after compinit: source <(npx svc completion zsh)',
    'svc completion fish': 'the same; in ~/.config/fish/config.fish: npx svc completion fish | source',
  },
  exitCodes: { 0: 'done', 2: 'wrong usage' },
  load: async () => (await import('./completion.js')).completion,
};
