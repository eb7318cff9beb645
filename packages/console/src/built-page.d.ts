/** The files of the console, which `tools/pages` builds from `browser`. */
declare module '#console' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- in a declared module, an import cannot have a relative path
  type PageFile = import('@svc/http/hosting').PageFile;

  export const files: Readonly<Record<'console.css' | 'console.js', PageFile>>;
}
