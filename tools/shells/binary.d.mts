/** The path of a shell. Installs it if that is allowed; throws if it cannot be found. */
export function findShell(name: 'bash' | 'zsh' | 'fish'): string;
