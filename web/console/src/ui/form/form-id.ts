/** Names one opened form, so that the server books what it sends once. `randomUUID` is missing where the console is reached over http. */
export function newFormId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
