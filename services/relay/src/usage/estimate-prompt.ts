import { emptyCounts } from '@tollgate/contracts/character-counts'
import { countInto } from '@tollgate/domain/pricing/count'
import { estimateTokens, familyOf, toolPreambleOf } from '@tollgate/domain/pricing/estimate'
import type { ModelRequest } from '@tollgate/providers/chat/model-request'

/** Estimated tokens of the prompt. */
export function estimatePrompt(
  chat: Pick<ModelRequest, 'model' | 'has_tools' | 'texts' | 'tool_texts' | 'extra_tokens'>,
  random: () => number,
): number {
  const family = familyOf(chat.model)
  let tokens = chat.extra_tokens + (chat.has_tools ? toolPreambleOf(chat.model) : 0)
  for (const text of chat.texts) tokens += estimateText(text, family, random)
  for (const text of chat.tool_texts) tokens += estimateText(text, family, random)
  return tokens
}

/**
 * Counting every character of 50 KB would cost as much as the rest of the request, so longer texts are estimated from one sample per
 * part. The position of a sample is random, so that a text cannot be written to look shorter than it is.
 */
const PARTS = 8
const SAMPLE = 320

function estimateText(text: string, family: ReturnType<typeof familyOf>, random: () => number): number {
  const counts = emptyCounts()
  if (text.length <= PARTS * SAMPLE) {
    countInto(counts, text)
    return estimateTokens(counts, family)
  }
  const part = text.length / PARTS
  for (let at = 0; at < PARTS; at += 1) {
    const start = Math.floor(at * part + random() * (part - SAMPLE))
    countInto(counts, text.substring(start, start + SAMPLE))
  }
  return Math.ceil(estimateTokens(counts, family) * (text.length / (PARTS * SAMPLE)))
}
