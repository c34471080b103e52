import type { BreakerFacts } from '@tollgate/contracts/resources/health'

/** Channels with an open breaker: one channel may have several, for single models and keys. */
export const countPaused = (breakers: readonly Pick<BreakerFacts, 'channel_id' | 'state'>[]): number =>
  new Set(breakers.filter(({ state }) => state === 'open').map(({ channel_id }) => channel_id)).size
