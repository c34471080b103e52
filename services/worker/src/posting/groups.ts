import type { JobPayload } from '@tollgate/jobs/jobs'
import { allShards } from '@tollgate/redis/ledger-servers'
import { hasUnposted, isOneBatch, listWork, postShards, postWork, type PostingDeps, type PostingTotals, type Work } from './post-shards.ts'

export type PostingGroups = {
  /** Number of groups. */
  readonly count: number
  /** Posts the shards of a group; a second call while one runs gets that run's result. */
  post(group: number, signal?: AbortSignal): Promise<PostingTotals>
  /** The same, and the other groups too if one transaction can post the events of all. */
  postWithOthers(group: number, signal?: AbortSignal): Promise<PostingTotals>
  /** The same for a job of the queue, which a worker with another number of groups may have added. */
  postJob(job: JobPayload<'post-usage'>, signal?: AbortSignal): Promise<PostingTotals>
  /**
   * Groups that have events to post, or, with `hasCorrections`, may have balance corrections, and that this process is not posting.
   * Without either it costs one call to Redis.
   */
  listWaiting(hasCorrections: boolean): Promise<number[]>
  /** The same, or only the first of these groups if `postWithOthers` of it posts all. */
  listDue(hasCorrections: boolean): Promise<number[]>
  /** Posts groups that have waited for longer than `maxAgeMs` because their queue is stuck. */
  postOverdue(maxAgeMs: number): Promise<void>
  /** Posts until a pass over all groups finds nothing new or the deadline passes. */
  postToTheEnd(deadlineMs: number): Promise<{ isDone: boolean }>
}

type Options = {
  readonly shards: number
  /** Number of groups. */
  readonly groups: number
}

/**
 * No worker owns a group: each takes jobs from the queue, and the lock of a shard's cursor decides who posts it. So workers may have
 * different numbers of groups.
 */
export function createPostingGroups(deps: PostingDeps, { shards, groups: count }: Options): PostingGroups {
  const all = allShards(shards)
  const shardsOf = (group: number, of: number): number[] => all.filter((shard) => shard % of === group)
  const running = new Map<number, Promise<PostingTotals>>()
  const lastRun = new Map<number, number>()
  const waitingSince = new Map<number, number>()

  const post = (group: number, signal?: AbortSignal): Promise<PostingTotals> => {
    const current = running.get(group)
    if (current !== undefined) return current
    const run = postShards(deps, shardsOf(group, count), signal).finally(() => running.delete(group))
    running.set(group, run)
    lastRun.set(group, deps.now())
    return run
  }
  const postWithOthers = (group: number, signal?: AbortSignal): Promise<PostingTotals> => {
    const current = running.get(group)
    if (current !== undefined) return current
    const free = all.filter((shard) => shard % count === group || !running.has(shard % count))
    const run = postFree(group, free, signal).finally(() => running.delete(group))
    running.set(group, run)
    return run
  }
  const postFree = async (group: number, free: readonly number[], signal: AbortSignal | undefined): Promise<PostingTotals> => {
    const work = await listWork(deps, free)
    const chosen = isOneBatch(work) ? work : work.filter(({ shard }) => shard % count === group)
    for (const included of [group, ...groupsOf(chosen, count)]) lastRun.set(included, deps.now())
    return await postWork(deps, chosen, signal)
  }
  const listWaiting = async (hasCorrections: boolean): Promise<{ groups: number[]; isSmall: boolean }> => {
    const work = hasCorrections || (await hasUnposted(deps.redis, all)) ? await listWork(deps, all) : []
    const found = groupsOf(work, count)
    for (const known of waitingSince.keys()) if (!found.has(known)) waitingSince.delete(known)
    for (const group of found) waitingSince.set(group, waitingSince.get(group) ?? deps.now())
    return { groups: [...found].filter((group) => !running.has(group)), isSmall: isOneBatch(work) }
  }
  return {
    count,
    post,
    postWithOthers,
    postJob: ({ group, of }, signal) => (of === count ? postWithOthers(group, signal) : postShards(deps, shardsOf(group, of), signal)),
    listWaiting: async (hasCorrections) => (await listWaiting(hasCorrections)).groups,
    listDue: async (hasCorrections) => {
      const { groups: waiting, isSmall } = await listWaiting(hasCorrections)
      return isSmall ? waiting.slice(0, 1) : waiting
    },
    postOverdue: async (maxAgeMs) => {
      const isOverdue = (group: number, since: number): boolean => deps.now() - Math.max(since, lastRun.get(group) ?? 0) > maxAgeMs
      await Promise.all([...waitingSince].filter(([group, since]) => isOverdue(group, since)).map(([group]) => post(group)))
    },
    postToTheEnd: async (deadlineMs) => {
      const deadline = deps.now() + deadlineMs
      while (deps.now() < deadline) {
        const passes = await Promise.all(Array.from({ length: count }, (_, group) => post(group)))
        if (passes.every(isIdle)) return { isDone: true }
      }
      return { isDone: false }
    },
  }
}

const groupsOf = (work: readonly Work[], count: number): Set<number> => new Set(work.map(({ shard }) => shard % count))

const isIdle = ({ posted, dropped, rejected }: PostingTotals): boolean => posted + dropped + rejected === 0
