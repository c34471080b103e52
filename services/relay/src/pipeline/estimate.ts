import type { Usage } from '@tollgate/contracts/quote'
import { noCounts } from '@tollgate/contracts/text-counts'
import { countInto } from '@tollgate/domain/pricing/count'
import { estimatedUsage, estimateTokens, familyOf } from '@tollgate/domain/pricing/estimate'
import type { StreamFacts } from '@tollgate/providers/conversation/stream'

/** Published frame of a tool call beside its name and arguments. */
const PER_TOOL_CALL = 7

type Known = { readonly model: string; readonly prompt_tokens: number }

/** Usage of a stream that reported none: the prompt's estimate and what was delivered, by class of character. */
export function estimateStream({ delivered }: StreamFacts, { model, prompt_tokens }: Known): Usage {
  const family = familyOf(model)
  const reasoning = estimateTokens(delivered.reasoning, family)
  const tools = estimateTokens(delivered.tools, family) + delivered.tool_calls * PER_TOOL_CALL
  return estimatedUsage({ prompt_tokens, completion_tokens: estimateTokens(delivered.text, family) + reasoning + tools, reasoning })
}

/** Usage of a whole answer that reported none. */
export function estimateWhole(texts: readonly string[], { model, prompt_tokens }: Known): Usage {
  const counts = noCounts()
  for (const text of texts) countInto(counts, text)
  return estimatedUsage({ prompt_tokens, completion_tokens: estimateTokens(counts, familyOf(model)) })
}
