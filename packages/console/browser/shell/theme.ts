/** Light or dark: as the system says, until the user chooses. */
import { effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const key = 'svc console theme';
const system = matchMedia('(prefers-color-scheme: dark)');

export const theme = signal<Theme>((localStorage.getItem(key) as Theme | null) ?? 'system');
const isSystemDark = signal(system.matches);

system.addEventListener('change', () => {
  isSystemDark.value = system.matches;
});

/** Whether the page is dark now. Charts read their colours when it changes. */
export const isDark = signal(false);

effect(() => {
  isDark.value = theme.value === 'dark' || (theme.value === 'system' && isSystemDark.value);
  document.documentElement.dataset['theme'] = isDark.value ? 'dark' : 'light';
});

export function chooseTheme(chosen: Theme): void {
  localStorage.setItem(key, chosen);
  theme.value = chosen;
}
