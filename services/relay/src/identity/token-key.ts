/** A token key as a client sent it. `pin` is the channel in `sk-KEY-123`. */
export type TokenKey = { readonly key: string; readonly pin: string | undefined }

/** `sk-`, the key, and the channel's number with room to spare. */
export const MAX_CREDENTIAL = 80

const KEY = /^(?:sk-)?([A-Za-z0-9]{48})(?:-(.*))?$/s

/** Keys of LiteLLM, of which an import knows the hash with the prefix. They have at least 16 characters, and name no channel. */
const IMPORTED_KEY = /^sk-[A-Za-z0-9_-]{16,76}$/

/** Parses a key; undefined: it cannot be a token of this gateway and is refused without a look-up. */
export function parseTokenKey(text: string): TokenKey | undefined {
  const match = KEY.exec(text)
  if (match?.[1] === undefined) return IMPORTED_KEY.test(text) ? { key: text, pin: undefined } : undefined
  return { key: match[1], pin: match[2] }
}

/** The key as error texts show it: the first and the last three characters. */
export function maskKey(key: string): string {
  return `${key.slice(0, 3)}***${key.slice(-3)}`
}
