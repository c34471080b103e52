import { z } from 'zod'

/**
 * Limits of a token, user, group, model or channel; an absent field sets no limit. `rpm` and `tpm` count over the last 60 seconds. Tokens
 * are prompt plus answer: estimated when a request is admitted, corrected when it ends.
 */
export const Limits = z.object({
  /** Requests per minute. */
  rpm: z.int().min(1).max(1_000_000_000).optional(),
  /** Tokens per minute. */
  tpm: z.int().min(1).max(1_000_000_000_000).optional(),
  /** Requests that are open at the same time. */
  concurrency: z.int().min(1).max(1_000_000).optional(),
})
export type Limits = z.infer<typeof Limits>

/** The option RateLimits: limits that all requests of a group, or for a model, share. A misspelt key would silently set no limit. */
export const SharedLimits = z.strictObject({
  group: z.record(z.string(), Limits.strict()).optional(),
  model: z.record(z.string(), Limits.strict()).optional(),
})
export type SharedLimits = z.infer<typeof SharedLimits>

/** The key `limits` of a channel's `setting`; an unreadable value sets no limits. */
export function channelLimits(setting: Readonly<Record<string, unknown>>): Limits | undefined {
  const found = Limits.safeParse(setting['limits'])
  return found.success && hasLimit(found.data) ? found.data : undefined
}

/** True if the value is a valid Limits object without other keys; a misspelt key would silently set no limit. */
export function areLimits(value: unknown): value is Limits {
  return Limits.strict().safeParse(value).success
}

export function hasLimit(limits: Limits | null | undefined): limits is Limits {
  return limits?.rpm !== undefined || limits?.tpm !== undefined || limits?.concurrency !== undefined
}
