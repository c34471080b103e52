import { define, type Scenario } from '../../scenarios/scenarios.ts'
import { applyLoad, applyLoadUnchecked, type Run } from '../load.ts'
import { byPart, type ByPart, type Installation } from './installation.ts'

export type Load = { readonly title: string; readonly scenario: Scenario }

/** Per request. */
export type Cost = {
  /** CPU in microseconds. */
  readonly cpu: ByPart
  readonly p50: number
  readonly p99: number
  readonly perSecond: number
}

/** Streams that one connection each reads; a stream is over after its chunks, and the next one begins. */
const CHUNKS = { kind: 'sse', hz: 50, n: 50, size: 60 } as const
const RATE_CONNECTIONS = 64
/** Share of the responses: on a machine with other work Redis is sometimes too slow, and the relay refuses with 503. */
const MAX_REFUSED = 0.01

type Chosen = { readonly connections: readonly number[]; readonly rates: readonly number[]; readonly streams: number }

export function loadsOf({ connections, rates, streams }: Chosen): Load[] {
  const plural = (count: number): string => (count === 1 ? '1 connection' : `${count} connections`)
  return [
    ...connections.map((count) => load(`closed${count}`, plural(count), { kind: 'closed', connections: count })),
    ...rates.map((rate) => load(`open${rate}`, `${rate}/s offered`, { kind: 'open', rate, connections: RATE_CONNECTIONS })),
    ...(streams > 0
      ? [load('stream50', `${streams} streams of 50 chunks`, { kind: 'streams', streams, perSecond: streams }, { answer: CHUNKS })]
      : []),
  ]
}

const load = (name: string, title: string, shape: Scenario['shape'], rest: Partial<Scenario> = {}): Load => ({
  title,
  scenario: define(name, title, shape, { thresholds: { failed: MAX_REFUSED, status: '200' }, ...rest }),
})

/** Runs a load so that the code is compiled before it is measured. */
export async function warm({ testbed, gateway }: Installation, { scenario }: Load, seconds: number): Promise<void> {
  await applyLoadUnchecked(testbed, gateway, scenario, { warmup: 0, seconds })
}

/** The CPU of every part while the load is measured. Posting lags by about a second, before and after. */
export async function measure(installation: Installation, { scenario }: Load, run: Run): Promise<Cost> {
  let before: ByPart | undefined
  const { outcome } = await applyLoad(installation.testbed, installation.gateway, scenario, run, async () => {
    before = installation.cpu()
  })
  const after = installation.cpu()
  return {
    cpu: byPart((part) => (after[part] - (before?.[part] ?? Number.NaN)) / outcome.completed),
    p50: outcome.latency.p50,
    p99: outcome.latency.p99,
    perSecond: outcome.completed / outcome.seconds,
  }
}

export const sumOf = (cpu: ByPart): number => Object.values(cpu).reduce((sum, value) => sum + value, 0)
