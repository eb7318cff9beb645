/**
 * Where GraphiQL stores operations, history and settings: in the browser, but without headers, which contain credentials. GraphiQL's own option
 * (`shouldPersistHeaders`) does not apply to its history.
 */
export const storageWithoutHeaders = {
  get length() {
    return localStorage.length;
  },
  clear: () => localStorage.clear(),
  getItem: (name) => localStorage.getItem(name),
  removeItem: (name) => localStorage.removeItem(name),
  setItem: (name, value) => localStorage.setItem(name, withoutHeaders(value)),
};

/** Values are plain texts, or JSON that has headers under this name. */
function withoutHeaders(value) {
  try {
    return JSON.stringify(JSON.parse(value, (name, part) => (name === 'headers' ? undefined : part)));
  } catch {
    return value;
  }
}
