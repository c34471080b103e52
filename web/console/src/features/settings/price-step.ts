import type { QuoteCard } from '@tollgate/contracts/pricing/quote'
import { dollarsOf, parseNumber } from './prices.ts'
import { dollarsFrom, numberIn, ratiosFrom, textOf, type DollarTexts, type RatioTexts } from './token-price.ts'

/** One price card as it is typed. */
export type PriceStep = RatioTexts &
  DollarTexts & {
    /** Tells the rows apart while they are edited. */
    readonly id: number
    readonly above: string
    /** Further ratios of the card, which stay as they are. */
    readonly others: Omit<QuoteCard, 'above' | 'model_ratio' | 'completion_ratio' | 'cache_ratio'>
  }

export type StepColumn = 'above' | keyof RatioTexts | keyof DollarTexts
export type StepProblem = 'above' | 'above-twice' | 'number' | 'required'

export const toSteps = (cards: readonly QuoteCard[]): readonly PriceStep[] => cards.map(toStep)

function toStep(card: QuoteCard, id: number): PriceStep {
  const { above, model_ratio, completion_ratio, cache_ratio, ...others } = card
  const ratios = { ratio: textOf(model_ratio), completion: textOf(completion_ratio), cache: textOf(cache_ratio) }
  return { id, above: String(above), ...ratios, ...dollarsFrom(ratios), others }
}

export function withNewStep(steps: readonly PriceStep[]): readonly PriceStep[] {
  const id = Math.max(-1, ...steps.map((step) => step.id)) + 1
  const none = { ratio: '', completion: '', cache: '', input: '', output: '', cached: '' }
  return [...steps, { id, above: '', ...none, others: {} }]
}

/** The step with one changed text; its ratios and its dollars stay the same price. */
export function withText(step: PriceStep, column: StepColumn, text: string): PriceStep {
  const next = { ...step, [column]: text }
  if (column === 'above') return next
  return column === 'input' || column === 'output' || column === 'cached'
    ? { ...next, ...ratiosFrom(next) }
    : { ...next, ...dollarsFrom(next) }
}

/** The cards of steps without a problem, in ascending order. */
export function toCards(steps: readonly PriceStep[]): readonly QuoteCard[] {
  return inOrder(steps).map(({ above, ratio, completion, cache, others }) => {
    const stated = { completion_ratio: numberIn(completion), cache_ratio: numberIn(cache) }
    return {
      above: Number(above),
      model_ratio: numberIn(ratio) ?? 0,
      ...(stated.completion_ratio === undefined ? {} : { completion_ratio: stated.completion_ratio }),
      ...(stated.cache_ratio === undefined ? {} : { cache_ratio: stated.cache_ratio }),
      ...others,
    }
  })
}

const isCount = (text: string): boolean => /^\d+$/.test(text.trim()) && Number(text) > 0 && Number.isSafeInteger(Number(text))

const inOrder = (steps: readonly PriceStep[]): readonly PriceStep[] => steps.toSorted((a, b) => Number(a.above) - Number(b.above))

/** The faults of a step, by the box that has them. */
export function problemsOfStep(
  step: PriceStep,
  steps: readonly PriceStep[],
  isPrice: boolean,
): Readonly<Partial<Record<StepColumn, StepProblem>>> {
  const isTwice = steps.some(({ id, above }) => id !== step.id && isCount(above) && Number(above) === Number(step.above))
  const above = !isCount(step.above) ? 'above' : isTwice ? 'above-twice' : undefined
  const boxes = isPrice ? (['input', 'output', 'cached'] as const) : (['ratio', 'completion', 'cache'] as const)
  const wrong = boxes.flatMap((box, at): readonly (readonly [StepColumn, StepProblem])[] => {
    if (at === 0 && step[box].trim() === '') return [[box, 'required']]
    return typeof parseNumber(step[box], 'ratio', undefined) === 'string' ? [[box, 'number']] : []
  })
  return { ...(above === undefined ? {} : { above }), ...Object.fromEntries(wrong) }
}

export type StepMeaning = {
  readonly above: number
  /** The number of the next step; undefined: the step has no upper end. */
  readonly upTo: number | undefined
  readonly input: number
  readonly output: number
  readonly cached: number
}

/** The prices of a step in dollars and the prompts that have them; undefined while it is incomplete. It takes the ratios that it leaves out from the model. */
export function meaningOf(
  step: PriceStep,
  steps: readonly PriceStep[],
  model: { readonly completion: number; readonly cache: number },
): StepMeaning | undefined {
  const ratio = numberIn(step.ratio)
  if (!isCount(step.above) || ratio === undefined) return undefined
  const above = Number(step.above)
  const later = steps.filter((one) => isCount(one.above) && Number(one.above) > above).map((one) => Number(one.above))
  return {
    above,
    upTo: later.length === 0 ? undefined : Math.min(...later),
    input: shortDollars(ratio),
    output: shortDollars(ratio * (numberIn(step.completion) ?? model.completion)),
    cached: shortDollars(ratio * (numberIn(step.cache) ?? model.cache)),
  }
}

/** To six digits, as the table shows them. */
const shortDollars = (ratio: number): number => Number(dollarsOf(ratio).toPrecision(6))
