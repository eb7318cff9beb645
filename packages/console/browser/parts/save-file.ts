/** Saves a response as a file. A link cannot do it: it would not send the credential. */
export async function saveFile(response: Response, name: string): Promise<void> {
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
