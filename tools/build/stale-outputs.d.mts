export function removeStaleOutputs(root: string): readonly string[];
