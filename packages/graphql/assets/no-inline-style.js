/**
 * Replaces react-style-singleton, which adds inline styles that stop the page from scrolling behind a dialog. The policy of the page forbids
 * inline styles, and the page of GraphiQL never scrolls.
 */
export const styleSingleton = () => () => null;
