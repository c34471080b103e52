import type { RunResult } from '@tollgate/contracts/channels/channel-runs'

export type RunSummary = {
  readonly ok: number
  readonly failed: number
  readonly skipped: number
  readonly disabled: number
  readonly enabled: number
}

/** A channel whose vendor states no balance has not failed, nor has one that was left out. */
export const hasFailed = ({ ok, has_no_balance, skipped }: RunResult): boolean => !ok && has_no_balance !== true && skipped === undefined

export function summaryOf(results: readonly RunResult[]): RunSummary {
  const count = (isCounted: (result: RunResult) => boolean): number => results.filter(isCounted).length
  return {
    ok: count(({ ok }) => ok),
    failed: count(({ ok, skipped }) => !ok && skipped === undefined),
    skipped: count(({ skipped }) => skipped !== undefined),
    disabled: count(({ change }) => change === 'disabled' || change === 'key-disabled'),
    enabled: count(({ change }) => change === 'enabled'),
  }
}

/** The newest first while results arrive; then what failed first and what has no balance next, each part by name. */
export function inOrder(results: readonly RunResult[], isRunning: boolean): readonly RunResult[] {
  if (isRunning) return results.toReversed()
  const rank = (result: RunResult): number => (hasFailed(result) ? 0 : result.ok ? 2 : 1)
  return results.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name) || a.channel_id - b.channel_id)
}
