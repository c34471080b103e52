export type Family = 'new-api' | 'one-api'

/** A record, or why the row makes none; `skipped`: it is left out on purpose. */
export type Made<T> = { readonly record: T } | { readonly refused: string } | { readonly skipped: true }

export const MODEL_SEPARATORS = /,/
export const ADDRESS_SEPARATORS = /[\s,]+/
