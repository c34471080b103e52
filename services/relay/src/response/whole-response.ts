import type { Usage } from '@tollgate/contracts/pricing/quote'
import { estimatedUsage, familyOf } from '@tollgate/domain/pricing/estimate'
import { plausibleUsage } from '@tollgate/domain/pricing/plausible'
import type { BodyWorkers } from '../transport/body-workers/body-workers.ts'
import type { WholeAnswer } from '../channels/outcome.ts'
import type { PendingResponse } from './outcome.ts'
import { KeyMask } from '../channels/key-mask.ts'
import { asServed, estimateWhole, withMissing } from '../usage/answer-usage.ts'
import type { Calls } from '../request/calls.ts'
import type { Dispatched } from '../request/phases.ts'
import { NO_FIRST_TOKEN } from '../request/progress.ts'
import type { ChannelHealth } from '../health/channel-health.ts'
import { noteUnexpected } from '../channels/unexpected-answers.ts'
import { announceWarnings } from './warnings-header.ts'

type Deps = { readonly bodyWorkers: Pick<BodyWorkers, 'count'>; readonly health: ChannelHealth }

/** Delivers a complete answer: all of its bytes are sent after the settlement. */
export async function deliverWhole(dispatched: Dispatched<WholeAnswer>, deps: Deps): Promise<PendingResponse> {
  const { answer, ...held } = dispatched
  const { context, calls, request } = held
  const { facts } = answer
  context.clock.enter('deliver')
  const mask = new KeyMask(calls.vendorKey)
  const { quote } = calls.group.costEstimate
  const usage = request.operation.isFree === true ? undefined : asServed(await usageOfWhole(dispatched, deps), quote, facts)
  const unexpected = noteUnexpected(held, { usage, unknown_end: facts.unknown_end }, deps.health.activity)
  const warnings = [...calls.warnings, ...facts.warnings, ...unexpected]
  const { isClosed } = context.reply
  // The client reads the sums that it is charged by.
  const bytes = mask.whole(usage === undefined ? facts.bytes : (facts.withUsage?.(usage) ?? facts.bytes))
  return {
    ended: {
      kind: 'delivered',
      delivered: {
        ...held,
        is_stream: false,
        first_token_ms: NO_FIRST_TOKEN,
        raw_usage: facts.raw_usage === undefined ? undefined : mask.text(facts.raw_usage),
        finish: facts.finish,
        warnings,
        usage,
        ...(isClosed
          ? ({ client_status: 499, ended_by: 'client-disconnected' } as const)
          : ({ client_status: 200, ended_by: 'complete' } as const)),
      },
    },
    answer: facts.answer,
    last: bytes,
    finish: () => {
      announceWarnings(context, warnings)
      if (context.reply.hasHead) context.reply.end(bytes)
      else context.reply.answer(200, { 'Content-Type': facts.content_type }, bytes)
    },
  }
}

/** The vendor's usage, with our count in place of what it did not state. */
async function usageOfWhole({ calls, answer: { facts } }: Dispatched<WholeAnswer>, deps: Deps): Promise<Usage> {
  const stated = plausibleUsage(facts.usage)
  if (stated !== undefined && stated.missing === undefined) return stated
  const counted = await countWhole(calls, facts, deps)
  return stated === undefined ? counted : withMissing(stated, counted)
}

/** Usage of an answer without reported usage: counted by a tokenizer if that is fast enough, otherwise estimated by character class. */
async function countWhole(
  { upstream_model, group: { costEstimate } }: Calls,
  { texts, tool_texts }: WholeAnswer['facts'],
  deps: Deps,
): Promise<Usage> {
  const all = [...texts, ...tool_texts]
  const known = { model: upstream_model, prompt_tokens: costEstimate.prompt_tokens }
  const completion_tokens = all.length === 0 ? 0 : await deps.bodyWorkers.count(all, familyOf(upstream_model))
  if (completion_tokens === undefined) return estimateWhole(all, known)
  return estimatedUsage({ prompt_tokens: costEstimate.prompt_tokens, completion_tokens })
}
