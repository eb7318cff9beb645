export const supportedNodes: readonly string[];
export function installedNode(version: string): string;
