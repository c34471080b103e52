import { z } from 'zod'

/**
 * Numbers with a unit. The phantom field lets a plain literal fit any unit but no unit fit another: passing seconds as milliseconds
 * does not compile.
 */
type Unit<Name extends string> = number & { readonly __unit?: Name }

/** Money as an integer; `QuotaPerUnit` (default 500 000) of them are 1 USD. */
export type Quota = Unit<'Quota'>
/** A multiplier typed by an operator; multiplied with exact decimal arithmetic, never with binary floats. */
export type Ratio = Unit<'Ratio'>
/** Seconds since 1970-01-01 UTC, an integer. */
export type UnixSeconds = Unit<'UnixSeconds'>
/** Milliseconds since 1970-01-01 UTC, an integer. */
export type UnixMillis = Unit<'UnixMillis'>
/** A duration in milliseconds. */
export type Millis = Unit<'Millis'>
/** A count of tokens, an integer. */
export type TokenCount = Unit<'TokenCount'>

// The casts give a number its unit after zod has validated it.
export const Quota = z.int() as unknown as z.ZodType<Quota, Quota>
export const Ratio = z.number() as unknown as z.ZodType<Ratio, Ratio>
export const UnixSeconds = z.int() as unknown as z.ZodType<UnixSeconds, UnixSeconds>
export const UnixMillis = z.int() as unknown as z.ZodType<UnixMillis, UnixMillis>
export const Millis = z.number() as unknown as z.ZodType<Millis, Millis>
export const TokenCount = z.int().nonnegative() as unknown as z.ZodType<TokenCount, TokenCount>

/**
 * The greatest amount, on either side of zero, that a call may send and a balance may reach: 2 000 million US dollars at the default unit.
 * CHECK constraints repeat it for the columns that are sums of amounts, so that their differences and totals are safe integers.
 */
export const MAX_QUOTA = 1_000_000_000_000_000
/** The greatest charge of one request. A vendor that reports absurd usage must not push a sum out of range. */
export const MAX_CHARGE = 1_000_000_000_000
/** An amount of quota in a call. */
export const Amount = z.int().min(-MAX_QUOTA).max(MAX_QUOTA)

/** Quota of one US dollar when option `QuotaPerUnit` is not set. */
export const DEFAULT_QUOTA_PER_UNIT = 500_000

/** The periods of the usage rollup, aligned to UTC. */
export const HOUR_SECONDS = 3600
export const DAY_SECONDS = 86_400
