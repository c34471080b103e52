import { ZERO_USAGE, type Usage } from '@tollgate/contracts/pricing/quote'
import { quotaOf } from '@tollgate/domain/pricing/charge'
import { estimatedUsage } from '@tollgate/domain/pricing/estimate'
import { tokensOf } from '@tollgate/domain/rate-limit/tokens'
import type { SettleQueue } from '@tollgate/ledger/client/types'
import type { SharedLimits } from '@tollgate/ledger/limits/shared-limits'
import type { OpenRequests } from '../request/open-requests.ts'
import { ownLimits } from '../limits/request-limits.ts'
import type { Calls } from '../request/calls.ts'
import type { Ended, Held } from '../request/phases.ts'
import type { ResponseOutcome } from '../request/response-outcome.ts'
import { encodeUsageEvent, type Ending } from '../request/usage-event.ts'

type Deps = { readonly settleQueue: SettleQueue; readonly open: OpenRequests; readonly sharedLimits: SharedLimits }

/**
 * The second of the two script calls: settles an opened request, exactly once and before the last byte of its response. Waits at most
 * 500 ms; after that the settle queue continues on its own.
 */
export async function settle(ended: Ended, deps: Deps): Promise<ResponseOutcome> {
  const { held, calls, outcome } = outcomeOf(ended)
  const { context, caller, hold, admission } = held
  const { costEstimate } = calls.group
  context.clock.enter('settle')
  try {
    const usage = outcome.usage ?? ZERO_USAGE
    const charge = quotaOf(costEstimate.quote, usage)
    const ending: Ending = { ...outcome, usage, charge, state: stateOf(usage) }
    const token = caller.record
    const limits = ownLimits(admission.limits, held.costEstimate.tokens)
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
      ...(hold.budget_windows === undefined ? {} : { budgets: hold.budget_windows }),
      body: encodeUsageEvent(ended, ending),
    })
    // Sent in the same Redis pipeline; the result is not awaited.
    if (calls.leases.length > 0) void deps.sharedLimits.release(calls.leases, used)
    await settled
  } finally {
    // The settle queue or the heartbeat is responsible for the hold now; the request no longer counts as running.
    deps.open.close(context.id)
  }
  return outcome
}

type Outcome = { readonly held: Held; readonly calls: Calls; readonly outcome: ResponseOutcome }

/** How each way to end counts. A client that left a call which upstream had accepted owes its prompt (ADR 12). */
function outcomeOf(ended: Ended): Outcome {
  switch (ended.kind) {
    case 'delivered': {
      const { usage, client_status, error_code, error_type, error_message, ended_by, calls } = ended.delivered
      return { held: ended.delivered, calls, outcome: { usage, client_status, error_code, error_type, error_message, ended_by } }
    }
    case 'failed': {
      const { status, code, type, message, isUpstream } = ended.by
      const ended_by = isUpstream ? 'upstream-failed' : 'gateway-failed'
      const outcome = {
        usage: undefined,
        client_status: status,
        error_code: code,
        error_type: type,
        error_message: message,
        ended_by,
      } as const
      return { held: ended.failed, calls: ended.failed.progress.calls, outcome }
    }
    case 'abandoned': {
      const { request, progress } = ended.failed
      const { calls } = progress
      const { prompt_tokens } = calls.group.costEstimate
      const owes = calls.owes_prompt && request.operation.isFree !== true
      const usage = owes ? estimatedUsage({ prompt_tokens, completion_tokens: 0 }) : undefined
      return { held: ended.failed, calls, outcome: { usage, client_status: 499, ended_by: 'client-disconnected' } }
    }
  }
}

function hasSucceeded({ client_status }: ResponseOutcome): boolean {
  return client_status > 0 && client_status < 400
}

function stateOf({ source }: Usage): Ending['state'] {
  if (source === 'upstream') return 'settled'
  return source === 'estimated' ? 'estimated' : 'released'
}
