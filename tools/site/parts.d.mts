/** A page of the site. */
export interface SitePage {
  /** In docs/, without its ending. */
  readonly path: string;
  readonly title: string;
}

export interface SitePart {
  readonly name: string;
  readonly groups: readonly { readonly name: string; readonly pages: readonly SitePage[] }[];
}

/** The folder docs/. */
export const docs: string;
export function partsOfSite(): readonly SitePart[];
