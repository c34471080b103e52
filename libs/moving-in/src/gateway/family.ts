export type Family = 'new-api' | 'one-api'

export const MODEL_SEPARATORS = /,/
export const ADDRESS_SEPARATORS = /[\s,]+/
