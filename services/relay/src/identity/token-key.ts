/** A user's key as a client wrote it. `pin` is the forced channel of `sk-KEY-123`. */
export type TokenKey = { readonly key: string; readonly pin: string | undefined }

const KEY = /^(?:sk-)?([A-Za-z0-9]{48})(?:-(.*))?$/s

/** Reads a key; undefined when it cannot be one of ours: it is then refused without being looked up. */
export function parseTokenKey(text: string): TokenKey | undefined {
  const match = KEY.exec(text)
  if (match?.[1] === undefined) return undefined
  return { key: match[1], pin: match[2] }
}

/** The key as error texts show it: the first and the last three characters. */
export function maskKey(key: string): string {
  return `${key.slice(0, 3)}***${key.slice(-3)}`
}
