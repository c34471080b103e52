import { ZERO_USAGE, type Usage } from '@tollgate/contracts/quote'
import { quotaOf } from '@tollgate/domain/pricing/charge'
import { tokensOf } from '@tollgate/domain/rate-limit/tokens'
import type { SettleQueue } from '@tollgate/ledger/client/types'
import type { SharedLimits } from '@tollgate/ledger/limits/shared-limits'
import type { OpenRequests } from '../request/open-requests.ts'
import { ownLimits } from '../limits/request-limits.ts'
import type { ResponseOutcome } from '../request/response-outcome.ts'
import type { RequestRecord } from '../request/record.ts'
import { encodeUsageEvent, type Ending } from '../request/usage-event.ts'

type Deps = { readonly settleQueue: SettleQueue; readonly open: OpenRequests; readonly sharedLimits: SharedLimits }

/**
 * The second of the two script calls: settles an opened request, exactly once and before the last byte of its response. Waits at most
 * 500 ms; after that the settle queue continues on its own.
 */
export async function settle(record: RequestRecord, outcome: ResponseOutcome, deps: Deps): Promise<void> {
  const { context, caller, hold, costEstimate } = record
  if (hold === undefined) throw new Error('settled without a hold')
  context.clock.enter('settle')
  try {
    const usage = outcome.usage ?? ZERO_USAGE
    const charge = quotaOf(costEstimate.quote, usage)
    const ending: Ending = { ...outcome, usage, charge, state: stateOf(usage) }
    const token = caller.record
    const limits = ownLimits(record.limits, costEstimate.tokens)
    const used = tokensOf(usage)
    const settled = deps.settleQueue.settle({
      shard: token.shard,
      request_id: context.id,
      user_id: token.user_id,
      token_id: token.token_id,
      charge,
      wallet_held: hold.wallet_held,
      token_held: hold.token_held,
      epoch: hold.epoch,
      success_window_ms: hasSucceeded(outcome) ? hold.success_window_ms : -hold.success_window_ms,
      ...(limits === undefined ? {} : { limits: { ...limits, used } }),
      body: encodeUsageEvent(record, ending),
    })
    // Sent in the same Redis pipeline; the result is not awaited.
    if (record.leases.length > 0) void deps.sharedLimits.release(record.leases, used)
    await settled
  } finally {
    // The settle queue or the heartbeat is responsible for the hold now; the request no longer counts as running.
    deps.open.close(context.id)
  }
}

function hasSucceeded({ client_status }: ResponseOutcome): boolean {
  return client_status > 0 && client_status < 400
}

function stateOf({ source }: Usage): Ending['state'] {
  if (source === 'upstream') return 'settled'
  return source === 'estimated' ? 'estimated' : 'released'
}
