/** The files of the explorer, which `tools/pages` builds from `assets`. */
declare module '#explorer' {
  type PageFile = import('@svc/http/hosting').PageFile;

  export const files: Readonly<Record<'explorer.css' | 'explorer.js', PageFile>>;
}
