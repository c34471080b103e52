import { describe, expect, it } from 'vitest'
import { meaningOf, problemsOfStep, toCards, toSteps, withNewStep, withText, type PriceStep, type StepColumn } from './price-step.ts'

const typed = (texts: Partial<Record<StepColumn, string>>, step: PriceStep): PriceStep =>
  Object.entries(texts).reduce((next, [column, text]) => withText(next, column as StepColumn, text), step) // the keys of `texts`

const newStep = (steps: readonly PriceStep[] = []): PriceStep => {
  const step = withNewStep(steps).at(-1)
  if (step === undefined) throw new Error('there is no step')
  return step
}

describe('price steps', () => {
  it('are the cards that they were read from, with what the form does not show', () => {
    const cards = [
      { above: 1000, model_ratio: 2.5, completion_ratio: 3.75, cache_ratio: 0.1, cache_creation_ratio: 1.25 },
      { above: 5000, model_ratio: 4 },
    ]

    expect(toCards(toSteps(cards))).toEqual(cards)
  })

  it('are put in ascending order', () => {
    const [first, second] = toSteps([
      { above: 1000, model_ratio: 2 },
      { above: 5000, model_ratio: 4 },
    ])
    if (first === undefined || second === undefined) throw new Error('there are no steps')

    expect(toCards([typed({ above: '9000' }, first), second]).map(({ above, model_ratio }) => [above, model_ratio])).toEqual([
      [5000, 4],
      [9000, 2],
    ])
  })

  it('typed in dollars have the ratios of the same price', () => {
    const step = typed({ above: '272000', input: '5', output: '22.5', cached: '0.5' }, newStep())

    expect(toCards([step])).toEqual([{ above: 272_000, model_ratio: 2.5, completion_ratio: 4.5, cache_ratio: 0.1 }])
    expect(typed({ ratio: '4' }, step)).toMatchObject({ input: '8', output: '36', cached: '0.8' })
  })

  it.each<[string, Partial<Record<StepColumn, string>>, object]>([
    ['nothing is typed', {}, { above: 'above', ratio: 'required' }],
    ['its number is no whole number', { above: '1.5', ratio: '1' }, { above: 'above' }],
    ['its number is 0', { above: '0', ratio: '1' }, { above: 'above' }],
    ['its number has a unit', { above: '200k', ratio: '1' }, { above: 'above' }],
    ['another has its number', { above: '1000', ratio: '1' }, { above: 'above-twice' }],
    [
      'its ratios are no numbers',
      { above: '2', ratio: 'x', completion: '-1', cache: '1,5' },
      { ratio: 'number', completion: 'number', cache: 'number' },
    ],
    ['it is complete', { above: '2', ratio: '1' }, {}],
  ])('say what is wrong where %s', (_what, texts, problems) => {
    const others = toSteps([{ above: 1000, model_ratio: 2 }])
    const step = typed(texts, newStep(others))

    expect(problemsOfStep(step, [...others, step], false)).toEqual(problems)
  })

  it('check the boxes in dollars where prices are typed', () => {
    expect(problemsOfStep(typed({ above: '2', output: 'x' }, newStep()), [], true)).toEqual({ input: 'required', output: 'number' })
  })

  it('mean a price from their number to the next one, with the ratios of the model where they state none', () => {
    const steps = toSteps([
      { above: 1000, model_ratio: 2, cache_ratio: 0.25 },
      { above: 5000, model_ratio: 4, completion_ratio: 2 },
    ])
    const model = { completion: 3, cache: 0.5 }

    expect(steps.map((step) => meaningOf(step, steps, model))).toEqual([
      { above: 1000, upTo: 5000, input: 4, output: 12, cached: 1 },
      { above: 5000, upTo: undefined, input: 8, output: 16, cached: 4 },
    ])
    expect(meaningOf(newStep(), steps, model)).toBeUndefined()
  })
})
