/** The result of one check. */
export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'problem' | 'skipped';
  readonly detail: string;
  /** What to do; null: nothing. */
  readonly fix: string | null;
}

export const ok = (check: string, detail: string): Finding => ({ check, status: 'ok', detail, fix: null });
export const skipped = (check: string, detail: string): Finding => ({ check, status: 'skipped', detail, fix: null });
export const warning = (check: string, detail: string, fix: string): Finding => ({
  check,
  status: 'warning',
  detail,
  fix,
});
export const problem = (check: string, detail: string, fix: string): Finding => ({
  check,
  status: 'problem',
  detail,
  fix,
});
