/** The files of the API page, which `tools/pages` builds from `assets`. */
declare module '#api-page' {
  type PageFile = import('../pages/index.js').PageFile;

  export const files: Readonly<Record<'page.css' | 'page.js', PageFile>>;
}
