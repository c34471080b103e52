import { POSTING_GROUPS } from '@tollgate/jobs/post-usage'
import { postShards, type PostingDeps, type PostingTotals } from './post-shards.ts'

export type PostingGroups = {
  /** Posts the shards of a group; a second call while one runs gets that run's result. */
  post(group: number, signal?: AbortSignal): Promise<PostingTotals>
  /** Posts groups whose last run is older than `maxAgeMs` because their queue is stuck. */
  postOverdue(maxAgeMs: number): Promise<void>
  /** Posts until a pass over all groups finds nothing new or the deadline passes. */
  postToTheEnd(deadlineMs: number): Promise<{ isDone: boolean }>
}

export function createPostingGroups(deps: PostingDeps, shards: number): PostingGroups {
  const all = Array.from({ length: shards }, (_, shard) => shard)
  const groups = Array.from({ length: POSTING_GROUPS }, (_, group) => all.filter((shard) => shard % POSTING_GROUPS === group))
  const running = new Map<number, Promise<PostingTotals>>()
  const lastRun = new Map<number, number>()

  const post = (group: number, signal?: AbortSignal): Promise<PostingTotals> => {
    const current = running.get(group)
    if (current !== undefined) return current
    const run = postShards(deps, groups[group] ?? [], signal).finally(() => running.delete(group))
    running.set(group, run)
    lastRun.set(group, deps.now())
    return run
  }
  const isIdle = ({ posted, dropped, rejected }: PostingTotals): boolean => posted + dropped + rejected === 0
  return {
    post,
    postOverdue: async (maxAgeMs) => {
      const overdue = groups.map((_, group) => group).filter((group) => deps.now() - (lastRun.get(group) ?? 0) > maxAgeMs)
      await Promise.all(overdue.map((group) => post(group)))
    },
    postToTheEnd: async (deadlineMs) => {
      const deadline = deps.now() + deadlineMs
      while (deps.now() < deadline) {
        const passes = await Promise.all(groups.map((_, group) => post(group)))
        if (passes.every(isIdle)) return { isDone: true }
      }
      return { isDone: false }
    },
  }
}
