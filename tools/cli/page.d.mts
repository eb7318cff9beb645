/** The page of the commands that `svc help --json` prints. */
export function cliPage(catalog: unknown): string;
