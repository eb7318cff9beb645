/** Reads `authorization: Bearer …` as a header to send; no header when the text is empty. */
export function credentialHeader(text) {
  const colon = text.indexOf(':');
  if (text.trim() === '') return {};
  if (colon === -1) throw new Error('Write the credential as a header, such as authorization: Bearer …');
  return { [text.slice(0, colon).trim()]: text.slice(colon + 1).trim() };
}
