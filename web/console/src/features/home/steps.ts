import type { FirstRun } from '@tollgate/contracts/resources/setup'

export const STEPS = ['channel', 'test', 'price', 'token', 'request'] as const
export type Step = (typeof STEPS)[number]
/** `open` can be done now, `waiting` needs an earlier one. */
export type StepState = 'done' | 'open' | 'waiting'

/** How each step stands. The request needs everything before it but the test, which a request makes up for. */
export function stepStates(run: FirstRun): Readonly<Record<Step, StepState>> {
  const hasChannel = run.channel !== null
  const hasPrice = run.priced_model !== null
  const hasToken = run.token !== null
  return {
    channel: hasChannel ? 'done' : 'open',
    test: run.tested_channel !== null ? 'done' : after(hasChannel),
    price: hasPrice ? 'done' : after(hasChannel),
    token: hasToken ? 'done' : 'open',
    request: run.request !== null ? 'done' : after(hasChannel && hasPrice && hasToken),
  }
}

/** The step to show open: the first that can be done now. */
export function nextStep(states: Readonly<Record<Step, StepState>>): Step | undefined {
  return STEPS.find((step) => states[step] === 'open')
}

const after = (isReady: boolean): StepState => (isReady ? 'open' : 'waiting')
