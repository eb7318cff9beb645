/** The path of Chromium or Chrome. Throws if there is none and it cannot be installed. */
export function findBinary(): string;
