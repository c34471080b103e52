/** Requests per minute, tokens per minute, open requests. */
export const LIMIT_FIELDS = ['rpm', 'tpm', 'concurrency'] as const
export type LimitField = (typeof LIMIT_FIELDS)[number]
