/** A token key as a client sent it. `pin` is the channel in `sk-KEY-123`. */
export type TokenKey = { readonly key: string; readonly pin: string | undefined }

/** `sk-`, the key, and the channel's number with room to spare. */
export const MAX_CREDENTIAL = 80

const KEY = /^(?:sk-)?([A-Za-z0-9]{48})(?:-(.*))?$/s

/** Parses a key; undefined: it cannot be a token of this gateway and is refused without a look-up. */
export function parseTokenKey(text: string): TokenKey | undefined {
  const match = KEY.exec(text)
  if (match?.[1] === undefined) return undefined
  return { key: match[1], pin: match[2] }
}

/** The key as error texts show it: the first and the last three characters. */
export function maskKey(key: string): string {
  return `${key.slice(0, 3)}***${key.slice(-3)}`
}
