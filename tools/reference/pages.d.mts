/** The paths of the pages with generated regions. */
export const referencePages: readonly string[];
/** A page with the regions that the sources have now. */
export function regenerated(root: string, page: string): string;
