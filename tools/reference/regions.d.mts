/** The names of the regions of a page. */
export function regionsOf(page: string): readonly string[];
/** A page without the widths of its tables, which the formatter chooses. */
export function withoutWidths(page: string): string;
