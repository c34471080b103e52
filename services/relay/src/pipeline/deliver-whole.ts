import type { Usage } from '@tollgate/contracts/quote'
import { estimatedUsage, familyOf } from '@tollgate/domain/pricing/estimate'
import type { LargeBodies } from '../large-bodies/large-bodies.ts'
import type { WholeAnswer } from './dispatch.ts'
import type { Delivery } from './delivery.ts'
import { estimateWhole } from './estimate.ts'
import type { Journal } from './journal.ts'

type Deps = { readonly largeBodies: Pick<LargeBodies, 'count'> }

/** A whole answer: the vendor's bytes as they are, after the settlement. */
export async function deliverWhole(journal: Journal, { facts }: WholeAnswer, deps: Deps): Promise<Delivery> {
  const { visit } = journal
  visit.clock.enter('deliver')
  journal.is_stream = false
  journal.raw_usage = facts.raw_usage
  journal.loss = [...journal.loss, ...facts.loss]
  const usage = journal.is_free ? undefined : (facts.usage ?? (await countWhole(journal, facts, deps)))
  return {
    outcome: visit.reply.isClosed
      ? { usage, client_status: 499, ended_by: 'client-gone' }
      : { usage, client_status: 200, ended_by: 'complete' },
    finish: () => {
      if (visit.reply.hasHead) visit.reply.end(facts.bytes)
      else visit.reply.answer(200, { 'Content-Type': facts.content_type }, facts.bytes)
    },
  }
}

/** Usage of a whole answer that reported none: by the vocabulary where that is quick enough, else by class of character. */
async function countWhole({ upstream_model, offer }: Journal, { texts, tool_texts }: WholeAnswer['facts'], deps: Deps): Promise<Usage> {
  const all = [...texts, ...tool_texts]
  const known = { model: upstream_model, prompt_tokens: offer.prompt_tokens }
  const completion_tokens = all.length === 0 ? 0 : await deps.largeBodies.count(all, familyOf(upstream_model))
  if (completion_tokens === undefined) return estimateWhole(all, known)
  return estimatedUsage({ prompt_tokens: offer.prompt_tokens, completion_tokens })
}
