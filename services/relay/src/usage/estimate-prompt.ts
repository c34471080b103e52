import { emptyCounts } from '@tollgate/contracts/pricing/character-counts'
import { hashText } from '@tollgate/domain/channel-choice/rendezvous'
import { countInto } from '@tollgate/domain/pricing/count'
import { estimateTokens, familyOf, toolPreambleOf, toolTextTokens, type Family } from '@tollgate/domain/pricing/estimate'
import type { ModelRequest } from '@tollgate/providers/chat/model-request'

/** Estimated tokens of the prompt: the same for the same prompt in every process that has the seed. */
export function estimatePrompt(
  chat: Pick<ModelRequest, 'model' | 'has_tools' | 'texts' | 'tool_texts' | 'extra_tokens'>,
  sample_seed: number,
): number {
  const family = familyOf(chat.model)
  let tokens = chat.extra_tokens + (chat.has_tools ? toolPreambleOf(chat.model) : 0)
  for (const text of chat.texts) tokens += estimateText(text, family, sample_seed)
  for (const text of chat.tool_texts) tokens += toolTextTokens(estimateText(text, family, sample_seed), text, family)
  return tokens
}

/**
 * Counting every character of 50 KB would cost as much as the rest of the request, so longer texts are estimated from one sample per
 * part. The position of a sample follows from the seed, which clients do not know, and from the samples before it: the same text has the same
 * count, and none can be written to look shorter than it is.
 */
const PARTS = 16
const SAMPLE = 320

function estimateText(text: string, family: Family, sample_seed: number): number {
  const counts = emptyCounts()
  if (text.length <= PARTS * SAMPLE) {
    countInto(counts, text)
    return estimateTokens(counts, family)
  }
  const part = text.length / PARTS
  let state = hashText('', sample_seed ^ text.length)
  for (let at = 0; at < PARTS; at += 1) {
    const start = Math.floor(at * part + (state / 2 ** 32) * (part - SAMPLE))
    const sample = text.substring(start, start + SAMPLE)
    countInto(counts, sample)
    state = hashText(sample, state)
  }
  return Math.ceil(estimateTokens(counts, family) * (text.length / (PARTS * SAMPLE)))
}
