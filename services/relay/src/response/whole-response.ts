import type { Usage } from '@tollgate/contracts/quote'
import { estimatedUsage, familyOf } from '@tollgate/domain/pricing/estimate'
import type { LargeBodies } from '../transport/body-workers/body-workers.ts'
import type { WholeAnswer } from '../pipeline/dispatch.ts'
import type { Delivery } from '../request/outcome.ts'
import { estimateWhole } from '../usage/answer-usage.ts'
import type { RequestRecord } from '../request/record.ts'

type Deps = { readonly largeBodies: Pick<LargeBodies, 'count'> }

/** A whole answer: the vendor's bytes as they are, after the settlement. */
export async function deliverWhole(record: RequestRecord, { facts }: WholeAnswer, deps: Deps): Promise<Delivery> {
  const { context } = record
  context.clock.enter('deliver')
  record.is_stream = false
  record.raw_usage = facts.raw_usage
  record.warnings = [...record.warnings, ...facts.warnings]
  const usage = record.is_free ? undefined : (facts.usage ?? (await countWhole(record, facts, deps)))
  return {
    outcome: context.reply.isClosed
      ? { usage, client_status: 499, ended_by: 'client-disconnected' }
      : { usage, client_status: 200, ended_by: 'complete' },
    finish: () => {
      if (context.reply.hasHead) context.reply.end(facts.bytes)
      else context.reply.answer(200, { 'Content-Type': facts.content_type }, facts.bytes)
    },
  }
}

/** Usage of a whole answer that reported none: by the vocabulary where that is quick enough, else by class of character. */
async function countWhole(
  { upstream_model, costEstimate }: RequestRecord,
  { texts, tool_texts }: WholeAnswer['facts'],
  deps: Deps,
): Promise<Usage> {
  const all = [...texts, ...tool_texts]
  const known = { model: upstream_model, prompt_tokens: costEstimate.prompt_tokens }
  const completion_tokens = all.length === 0 ? 0 : await deps.largeBodies.count(all, familyOf(upstream_model))
  if (completion_tokens === undefined) return estimateWhole(all, known)
  return estimatedUsage({ prompt_tokens: costEstimate.prompt_tokens, completion_tokens })
}
