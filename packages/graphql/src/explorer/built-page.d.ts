/** The files of the explorer, which `tools/pages` builds from `assets`. */
declare module '#explorer' {
  import type { PageFile } from '@svc/http/hosting';

  export const files: Readonly<Record<'explorer.css' | 'explorer.js', PageFile>>;
}
