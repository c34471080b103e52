import type { InvoiceCause } from '@tollgate/contracts/resources/vendor-invoices'
import { DAY_SECONDS } from '@tollgate/contracts/units'
import { hasOtherAmount } from './explain-prices.ts'
import { tokenDifference, type Comparison, type Pair, type Stated } from './difference.ts'
import { NOTHING_RECORDED, type Counted, type Recorded } from './recorded-usage.ts'

/** Vendors' reports of a day are complete about a day after it. */
const BILLED_AFTER = DAY_SECONDS

type Rest = { readonly input: number; readonly output: number; readonly cached: number }
type Facts = Pick<Comparison, 'recorded' | 'closed_at' | 'channel_ids'>

/** The likely causes of one line's difference. Each takes its part of the difference; the rest is left to the next. */
export function explainLine(pair: Pair, facts: Facts, stated: Stated): InvoiceCause[] {
  const { vendor, own } = pair
  if (vendor === undefined) return [absentCause(pair, facts)]
  const rest = tokenDifference(pair, stated)
  if (own === undefined) return [unknownCause(pair, rest, facts, stated)]
  const causes: InvoiceCause[] = []
  const take = (cause: InvoiceCause | undefined, left: Rest): Rest => {
    if (cause === undefined) return left
    causes.push(cause)
    return {
      input: left.input - (cause.input ?? 0),
      output: left.output - (cause.output ?? 0),
      cached: left.cached - (cause.cached ?? 0),
    }
  }
  let left: Rest = rest
  left = take(otherChannel(pair, left, facts), left)
  left = take(chargedRetries(own, left, stated), left)
  left = take(uncertain('aborted-streams', own.aborted, left, stated), left)
  left = take(uncertain('counted-here', own.estimated, left, stated), left)
  left = take(cacheShare(left), left)
  take(remainder(pair, left, facts, stated), left)
  if (causes.length === 0 && hasOtherAmount(pair)) return [amountCause(pair)]
  return causes.length === 0 ? [absentCause(pair, facts)] : causes
}

function isBilledLater({ span }: Pair, { closed_at }: Facts): boolean {
  return span.end + BILLED_AFTER > closed_at
}

function absentCause(pair: Pair, facts: Facts): InvoiceCause {
  const { requests, input, output } = pair.own ?? NOTHING_RECORDED
  const tokens = pair.vendor === undefined ? { input: -input, output: -output } : {}
  return { kind: isBilledLater(pair, facts) ? 'not-billed-yet' : 'missing-at-vendor', calls: requests, ...tokens }
}

/** Only the vendor has it. */
function unknownCause(pair: Pair, rest: Rest, facts: Facts, stated: Stated): InvoiceCause {
  const { vendor, model } = pair
  if (stated.tokens && (vendor?.input ?? 0) === 0 && (vendor?.output ?? 0) === 0) return { kind: 'other-item', model }
  return (
    otherChannel(pair, rest, facts) ?? {
      kind: 'bypassed',
      ...(vendor?.requests === null || vendor?.requests === undefined ? {} : { calls: vendor.requests }),
      ...tokensOf(rest),
    }
  )
}

const tokensOf = ({ input, output }: Rest): Pick<InvoiceCause, 'input' | 'output'> => ({
  ...(input === 0 ? {} : { input }),
  ...(output === 0 ? {} : { output }),
})

/** A channel that is not compared has exactly the tokens that are too many. */
function otherChannel({ model, span }: Pair, { input, output }: Rest, { recorded, channel_ids }: Facts): InvoiceCause | undefined {
  if (input <= 0) return undefined
  for (const channel_id of recorded.channels) {
    if (channel_ids.includes(channel_id)) continue
    const found = recorded.sum([channel_id], model, span)
    if (found?.input === input && found.output === output)
      return { kind: 'other-channel', channel_id, calls: found.requests, input, output, cached: found.cached }
  }
  return undefined
}

/** The vendor has the input of calls that failed here after they were sent; they have little or no output. */
function chargedRetries({ retried }: Recorded, { input, output }: Rest, stated: Stated): InvoiceCause | undefined {
  if (retried.requests === 0) return undefined
  if (!stated.tokens) return { kind: 'charged-retries', calls: retried.requests }
  if (input <= 0 || retried.input === 0) return undefined
  const part = Math.min(input, retried.input)
  return { kind: 'charged-retries', calls: retried.requests, input: part, ...(output > 0 && input <= retried.input ? { output } : {}) }
}

/** Requests whose tokens are an estimate: the vendor's count of them is the better one. */
function uncertain(kind: 'aborted-streams' | 'counted-here', counted: Counted, left: Rest, stated: Stated): InvoiceCause | undefined {
  if (counted.requests === 0) return undefined
  if (!stated.tokens) return { kind, calls: counted.requests }
  if (left.input === 0 && left.output === 0) return undefined
  // An estimate of a prompt is at most as wrong as the prompt is long; what a vendor wrote after a client left has no bound here.
  const input = Math.max(-counted.input, Math.min(left.input, counted.input))
  const output = Math.max(left.output, -counted.output)
  if (input === 0 && output === 0) return undefined
  return { kind, calls: counted.requests, ...tokensOf({ input, output, cached: 0 }) }
}

function cacheShare({ input, output, cached }: Rest): InvoiceCause | undefined {
  return input === 0 && output === 0 && cached !== 0 ? { kind: 'cache-share', cached } : undefined
}

/** The part that no recorded fact explains: more at the vendor never came through here, and less is not billed. */
function remainder(pair: Pair, { input, output }: Rest, facts: Facts, stated: Stated): InvoiceCause | undefined {
  const { vendor, own } = pair
  const calls = stated.requests ? (vendor?.requests ?? 0) - (own?.requests ?? 0) - (own?.retried.requests ?? 0) : 0
  const tokens = tokensOf({ input, output, cached: 0 })
  if (input > 0 || output > 0) return { kind: 'bypassed', ...(calls > 0 ? { calls } : {}), ...tokens }
  if (input === 0 && output === 0) return undefined
  const kind = isBilledLater(pair, facts) ? 'not-billed-yet' : 'missing-at-vendor'
  return { kind, ...(calls < 0 ? { calls: -calls } : {}), ...tokens }
}

/** Only the amounts differ, and the invoice has no tokens to compare. */
function amountCause({ vendor, own }: Pair): InvoiceCause {
  const isZero = own === undefined || own.dollars.isZero
  return isZero ? { kind: 'bypassed' } : { kind: 'price-differs', ratio: Number(vendor?.dollars?.dividedBy(own.dollars, 6) ?? '0') }
}
