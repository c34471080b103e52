import { queryOptions } from '@tanstack/react-query'
import { setup, type FirstRun } from '@tollgate/contracts/resources/setup'
import { call, keyOf } from './api.ts'

export const STEPS = ['channel', 'test', 'price', 'token', 'request'] as const
export type Step = (typeof STEPS)[number]
/** `open` can be done now, `waiting` needs an earlier one. */
export type StepState = 'done' | 'open' | 'waiting'
export type StepStates = Readonly<Record<Step, StepState>>
/** The states as this browser keeps them; what is not a state counts as not done. */
type KeptStates = Readonly<Partial<Record<Step, unknown>>>

/** The state of root's checklist. */
export const firstRun = queryOptions({
  queryKey: keyOf(setup.firstRun),
  queryFn: ({ signal }) => call(setup.firstRun, { signal }),
  staleTime: 0,
  meta: { quiet: true },
})

/** How each step stands. The request needs everything before it but the test, which a request makes up for. */
export function stepStates(run: FirstRun): StepStates {
  const hasChannel = run.channel !== null
  const hasPrice = run.priced_model !== null
  const isPriced = hasPrice && run.unpriced_models.length === 0
  const hasToken = run.token !== null
  return {
    channel: hasChannel ? 'done' : 'open',
    test: run.tested_channel !== null ? 'done' : after(hasChannel),
    price: isPriced ? 'done' : after(hasChannel),
    token: hasToken ? 'done' : 'open',
    request: run.request !== null ? 'done' : after(hasChannel && hasPrice && hasToken),
  }
}

/** The step to show open: the first that can be done now. */
export function nextStep(states: KeptStates): Step | undefined {
  return STEPS.find((step) => states[step] === 'open')
}

export const doneCount = (states: KeptStates): number => STEPS.filter((step) => states[step] === 'done').length

const after = (isReady: boolean): StepState => (isReady ? 'open' : 'waiting')
