import { tokensByModel } from '@tollgate/domain/pricing/other-models'
import { ZERO_USAGE, type Quote, type Usage } from '@tollgate/contracts/pricing/quote'
import { emptyCounts } from '@tollgate/contracts/pricing/character-counts'
import { countInto } from '@tollgate/domain/pricing/count'
import { estimatedUsage, estimateTokens, familyOf } from '@tollgate/domain/pricing/estimate'
import { plausibleUsage } from '@tollgate/domain/pricing/plausible'
import type { StreamFacts } from '@tollgate/providers/chat/stream'

/** Published overhead of a tool call, in addition to its name and arguments. */
const PER_TOOL_CALL = 7

type Known = { readonly model: string; readonly prompt_tokens: number }

/**
 * Usage of a stream so far; upstream's own once the stream is done. Usage that upstream reported earlier gives the prompt, and the output
 * is the larger of its count and what was delivered.
 */
export function usageOf(facts: StreamFacts, known: Known, isDone: boolean): Usage {
  const final = finalUsage(facts, isDone)
  if (final !== undefined && final.missing === undefined) return final
  const counted = estimateStream(facts, known)
  if (final !== undefined) return withMissing(final, counted)
  const early = plausibleUsage(facts.usage ?? facts.early_usage)
  if (early === undefined) return counted
  const known_prompt = early.missing === undefined ? early : withMissing(early, counted)
  return {
    ...known_prompt,
    text_out: Math.max(early.text_out, counted.text_out),
    reasoning: Math.max(early.reasoning, counted.reasoning),
    completion_tokens: Math.max(early.completion_tokens, counted.completion_tokens),
    source: 'estimated',
  }
}

/** Upstream's usage of the complete answer, if it reported one that can be true. */
export function finalUsage({ usage, finish }: StreamFacts, isDone: boolean): Usage | undefined {
  return isDone || finish !== undefined ? plausibleUsage(usage) : undefined
}

/** The vendor's usage with our estimate of the sums that it did not state; what it states apart, such as cached tokens, stays. */
export function withMissing({ missing = [], ...usage }: Usage, counted: Usage): Usage {
  const more_in = missing.includes('prompt') ? Math.max(counted.prompt_tokens - usage.prompt_tokens, 0) : 0
  const more_out = missing.includes('completion') ? Math.max(counted.completion_tokens - usage.completion_tokens, 0) : 0
  if (more_in + more_out === 0) return usage
  return {
    ...usage,
    text_in: usage.text_in + more_in,
    text_out: usage.text_out + more_out,
    prompt_tokens: usage.prompt_tokens + more_in,
    completion_tokens: usage.completion_tokens + more_out,
    missing,
    source: 'estimated',
  }
}

/** Usage of a stream without reported usage: the estimated prompt, and the delivered output by character class. */
function estimateStream({ delivered }: StreamFacts, { model, prompt_tokens }: Known): Usage {
  const family = familyOf(model)
  const reasoning = estimateTokens(delivered.reasoning, family)
  const tools = estimateTokens(delivered.tools, family) + delivered.tool_calls * PER_TOOL_CALL
  return estimatedUsage({ prompt_tokens, completion_tokens: estimateTokens(delivered.text, family) + reasoning + tools, reasoning })
}

type Served = {
  readonly answers?: number | undefined
  readonly served_tier?: string | undefined
  readonly served_model?: string | undefined
}

/** The usage of an answer as the vendor served it: in the unit of its price, with the answers, tier and model that it states. */
export function asServed(usage: Usage, quote: Quote, { answers, served_tier, served_model }: Served): Usage {
  return withServedModel(withServedTier(withAnswers(inSpeechUnit(usage, quote), quote, answers), quote, served_tier), quote, served_model)
}

/** The usage of a complete answer with the number of answers, if a call for several at a price per call got fewer. */
function withAnswers(usage: Usage, quote: Quote, delivered: number | undefined): Usage {
  const asked = quote.mode === 'price' ? quote.answers : undefined
  return asked === undefined || delivered === undefined || delivered >= asked ? usage : { ...usage, answers: Math.max(1, delivered) }
}

/**
 * The usage with the tiers that were not served: OpenAI answers at the normal tier, and price, when another is full.
 * https://platform.openai.com/docs/guides/priority-processing
 */
function withServedTier(usage: Usage, { tiers }: Quote, served: string | undefined): Usage {
  if (tiers === undefined || served === undefined || !NORMAL_TIERS.has(served)) return usage
  return { ...usage, unserved_tiers: Object.keys(tiers) }
}

/** The usage as that of the model that the vendor says it served, if the request names several. */
function withServedModel(usage: Usage, quote: Quote, served: string | undefined): Usage {
  if (quote.mode === 'price' || quote.others === undefined || served === undefined || usage.by_model !== undefined) return usage
  return { ...usage, by_model: tokensByModel(served.slice(0, 128), usage) }
}

const NORMAL_TIERS = new Set(['default', 'standard'])

/** The usage of speech in the unit of its price: characters, which are counted exactly, or tokens. */
function inSpeechUnit(usage: Usage, quote: Quote): Usage {
  const { characters, ...tokens } = usage
  if (quote.mode === 'price' || quote.speech === undefined || characters === undefined) return usage
  return quote.speech === 'token' ? tokens : { ...ZERO_USAGE, characters, source: 'upstream' }
}

/** Usage of a complete answer without reported usage. */
export function estimateWhole(texts: readonly string[], { model, prompt_tokens }: Known): Usage {
  const counts = emptyCounts()
  for (const text of texts) countInto(counts, text)
  return estimatedUsage({ prompt_tokens, completion_tokens: estimateTokens(counts, familyOf(model)) })
}
