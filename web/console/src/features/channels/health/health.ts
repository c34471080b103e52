import type { ChannelHealth } from '@tollgate/contracts/resources/channels'
import type { Tone } from '@tollgate/domain/display/tone'

/** The calls of five minutes. */
type Period = ChannelHealth['periods'][number]
type Breaker = ChannelHealth['breakers'][number]

/** The share of calls that succeeded, in percent with one decimal at most; never 100 when one failed. */
export function successText({ ok, failed }: Pick<ChannelHealth, 'ok' | 'failed'>): string {
  const share = (ok / (ok + failed)) * 100
  const shown = failed > 0 ? Math.min(99.9, Math.floor(share * 10) / 10) : 100
  return `${shown}%`
}

export function toneOfSuccess({ ok, failed }: Pick<ChannelHealth, 'ok' | 'failed'>): Tone {
  const share = ok / (ok + failed)
  if (share >= 0.99) return 'green'
  return share >= 0.9 ? 'yellow' : 'red'
}

/** Meaning of a breaker for requests, worst first. */
export type BreakerText = 'dead' | 'limited' | 'paused' | 'trying'
const WORST: readonly BreakerText[] = ['dead', 'limited', 'paused', 'trying']

export function textOfBreaker({ state, cause }: Breaker): BreakerText {
  if (state === 'half-open') return 'trying'
  return cause === 'dead' || cause === 'limited' ? cause : 'paused'
}

/** The breaker that keeps most requests away. */
export function worstBreaker(breakers: readonly Breaker[]): Breaker | undefined {
  return breakers.toSorted((a, b) => WORST.indexOf(textOfBreaker(a)) - WORST.indexOf(textOfBreaker(b)))[0]
}

export type Bar = { readonly x: number; readonly height: number; readonly failedHeight: number }

/** A bar per period: as high as its calls, red from below as far as they failed. A period with calls is at least 2 high. */
export function barsOf(periods: readonly Period[], { width, height }: { width: number; height: number }): readonly Bar[] {
  const most = Math.max(1, ...periods.map(({ ok, failed }) => ok + failed))
  const step = width / Math.max(1, periods.length)
  return periods.map(({ ok, failed }, index) => {
    const all = ok + failed
    const tall = all === 0 ? 0 : Math.max(2, (all / most) * height)
    return { x: index * step, height: tall, failedHeight: all === 0 ? 0 : failed > 0 ? Math.max(1.5, (failed / all) * tall) : 0 }
  })
}

/** The margin of today's charges over upstream's, in percent; undefined without a known cost or charge. */
export function marginOf({ spent_today, cost_today }: ChannelHealth): number | undefined {
  if (cost_today === undefined || spent_today <= 0) return undefined
  return Math.round((1 - cost_today / spent_today) * 100)
}
