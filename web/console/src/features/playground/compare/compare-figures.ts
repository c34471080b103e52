import { speedOf } from '../chat/answer-facts.ts'
import type { AnswerFacts } from '../chat/messages.ts'

export const FIGURES = ['first', 'speed', 'tokens', 'cost'] as const
export type Figure = (typeof FIGURES)[number]

/** The value of a figure that is compared: of the tokens those of the answer. */
export function figureOf(facts: AnswerFacts, figure: Figure): number | undefined {
  if (figure === 'first') return facts.first_ms
  if (figure === 'speed') return speedOf(facts)
  return figure === 'tokens' ? facts.completion_tokens : facts.charge?.quota
}

/** The best column of a figure; none while there is nothing to compare, and the number of tokens is neither good nor bad. */
export function bestOf(facts: readonly AnswerFacts[], figure: Figure): number | undefined {
  if (figure === 'tokens') return undefined
  const known = facts.flatMap((one, at) => {
    const value = figureOf(one, figure)
    return value === undefined ? [] : [{ value, at }]
  })
  if (known.length < 2) return undefined
  const sorted = known.toSorted((a, b) => (figure === 'speed' ? b.value - a.value : a.value - b.value))
  return sorted[0]?.value === sorted[1]?.value ? undefined : sorted[0]?.at
}
