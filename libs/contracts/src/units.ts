import { z } from 'zod'

/**
 * Units are types. Each unit carries a phantom mark, so that a plain literal fits any unit but one unit never fits another:
 * passing seconds where milliseconds are meant does not compile.
 */
type Unit<Name extends string> = number & { readonly __unit?: Name }

/** Money: an integer; `QuotaPerUnit` (default 500 000) of them are 1 USD. */
export type Quota = Unit<'Quota'>
/** A multiplier that people type; exact decimal arithmetic is applied to it, never binary floats. */
export type Ratio = Unit<'Ratio'>
/** Seconds since 1970-01-01 UTC, an integer. */
export type UnixSeconds = Unit<'UnixSeconds'>
/** Milliseconds since 1970-01-01 UTC, an integer. */
export type UnixMillis = Unit<'UnixMillis'>
/** A duration in milliseconds. */
export type Millis = Unit<'Millis'>
/** A count of tokens, an integer. */
export type TokenCount = Unit<'TokenCount'>

// The casts below are the border where a checked number gets its unit; zod has checked it.
export const Quota = z.int() as unknown as z.ZodType<Quota, Quota>
export const Ratio = z.number() as unknown as z.ZodType<Ratio, Ratio>
export const UnixSeconds = z.int() as unknown as z.ZodType<UnixSeconds, UnixSeconds>
export const UnixMillis = z.int() as unknown as z.ZodType<UnixMillis, UnixMillis>
export const Millis = z.number() as unknown as z.ZodType<Millis, Millis>
export const TokenCount = z.int().nonnegative() as unknown as z.ZodType<TokenCount, TokenCount>

/** Quota of one US dollar unless option `QuotaPerUnit` says otherwise. */
export const DEFAULT_QUOTA_PER_UNIT = 500_000

/** The units of the rollup's sums, which are cut in UTC. */
export const HOUR_SECONDS = 3600
export const DAY_SECONDS = 86_400
