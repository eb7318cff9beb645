/** The files of the API page, which `tools/pages` builds from `assets`. */
declare module '#api-page' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- in a declared module, an import cannot have a relative path
  type PageFile = import('../pages/index.js').PageFile;

  export const files: Readonly<Record<'page.css' | 'page.js', PageFile>>;
}
