import type { Usage } from '@tollgate/contracts/quote'
import type { WholeAnswer } from './dispatch.ts'
import type { Delivery } from './delivery.ts'
import { estimateWhole } from './estimate.ts'
import type { Journal } from './journal.ts'

/** A whole answer: the vendor's bytes as they are, after the settlement. */
export function deliverWhole(journal: Journal, { facts }: WholeAnswer): Delivery {
  const { visit } = journal
  visit.clock.enter('deliver')
  journal.is_stream = false
  journal.raw_usage = facts.raw_usage
  journal.loss = [...journal.loss, ...facts.loss]
  const usage = journal.is_free ? undefined : usageOf(journal, facts)
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

function usageOf({ upstream_model, offer }: Journal, { usage, texts, tool_texts }: WholeAnswer['facts']): Usage {
  return usage ?? estimateWhole([...texts, ...tool_texts], { model: upstream_model, prompt_tokens: offer.prompt_tokens })
}
