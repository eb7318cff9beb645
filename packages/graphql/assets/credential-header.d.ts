export function credentialHeader(text: string): Record<string, string>;
