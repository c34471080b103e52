import type { Usage } from '@tollgate/contracts/quote'
import { estimatedUsage, familyOf } from '@tollgate/domain/pricing/estimate'
import { plausibleUsage } from '@tollgate/domain/pricing/plausible'
import type { BodyWorkers } from '../transport/body-workers/body-workers.ts'
import type { WholeAnswer } from '../channels/outcome.ts'
import type { PendingResponse } from './outcome.ts'
import { KeyMask } from '../channels/key-mask.ts'
import { asServed, estimateWhole, withMissing } from '../usage/answer-usage.ts'
import type { RequestRecord } from '../request/record.ts'
import type { ChannelHealth } from '../health/channel-health.ts'
import { noteOddities } from '../channels/odd-answers.ts'
import { announceWarnings } from './warnings-header.ts'

type Deps = { readonly bodyWorkers: Pick<BodyWorkers, 'count'>; readonly health: ChannelHealth }

/** Delivers a complete answer: all of its bytes are sent after the settlement. */
export async function deliverWhole(record: RequestRecord, { facts }: WholeAnswer, deps: Deps): Promise<PendingResponse> {
  const { context } = record
  context.clock.enter('deliver')
  record.is_stream = false
  const mask = new KeyMask(record.vendorKey)
  record.raw_usage = facts.raw_usage === undefined ? undefined : mask.text(facts.raw_usage)
  record.warnings = [...record.warnings, ...facts.warnings]
  const { quote } = record.costEstimate
  const usage = record.is_free ? undefined : asServed(await usageOfWhole(record, facts, deps), quote, facts)
  noteOddities(record, { usage, unknown_end: facts.unknown_end }, deps.health.activity)
  return {
    outcome: context.reply.isClosed
      ? { usage, client_status: 499, ended_by: 'client-disconnected' }
      : { usage, client_status: 200, ended_by: 'complete' },
    answer: facts.answer,
    finish: () => {
      // The client reads the sums that it is charged by.
      const bytes = mask.whole(usage === undefined ? facts.bytes : (facts.withUsage?.(usage) ?? facts.bytes))
      announceWarnings(record)
      if (context.reply.hasHead) context.reply.end(bytes)
      else context.reply.answer(200, { 'Content-Type': facts.content_type }, bytes)
    },
  }
}

/** The vendor's usage, with our count in place of what it did not state. */
async function usageOfWhole(record: RequestRecord, facts: WholeAnswer['facts'], deps: Deps): Promise<Usage> {
  const stated = plausibleUsage(facts.usage)
  if (stated !== undefined && stated.missing === undefined) return stated
  const counted = await countWhole(record, facts, deps)
  return stated === undefined ? counted : withMissing(stated, counted)
}

/** Usage of an answer without reported usage: counted by a tokenizer if that is fast enough, otherwise estimated by character class. */
async function countWhole(
  { upstream_model, costEstimate }: RequestRecord,
  { texts, tool_texts }: WholeAnswer['facts'],
  deps: Deps,
): Promise<Usage> {
  const all = [...texts, ...tool_texts]
  const known = { model: upstream_model, prompt_tokens: costEstimate.prompt_tokens }
  const completion_tokens = all.length === 0 ? 0 : await deps.bodyWorkers.count(all, familyOf(upstream_model))
  if (completion_tokens === undefined) return estimateWhole(all, known)
  return estimatedUsage({ prompt_tokens: costEstimate.prompt_tokens, completion_tokens })
}
