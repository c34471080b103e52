import type { Redis } from 'ioredis'
import { keys } from './keys.ts'
import { buildLedgerScript, ledgerScripts } from './scripts.ts'

/** How far Postgres says a shard was posted. */
export type PostedCursor = { readonly last_id: string; readonly last_n: number; readonly is_suspect: boolean }

export type KeeperDeps = {
  readonly redis: Redis
  readonly shards: number
  /** Runs `check` while it holds the shard's cursor row, and notes the reason on the row when the answer is one. */
  readonly withCursor: (shard: number, check: (cursor: PostedCursor) => Promise<string | undefined>) => Promise<string | undefined>
  /** A shard that is older than what was posted. It stays closed; someone must look. */
  readonly onAlarm: (shard: number, reason: string) => void
}

export type KeeperResult =
  | { readonly kind: 'open' }
  | { readonly kind: 'opened'; readonly suspect: readonly number[] }
  | { readonly kind: 'away'; readonly cause: unknown }

export type Keeper = { check(): Promise<KeeperResult> }

/**
 * The one who may load scripts. A Redis that does not know them is new, restarted or replaced: each shard is compared with its
 * cursor, intact ones get a new epoch, the others stay closed, then the scripts are loaded. Run it from one process at a time.
 */
export function createKeeper(deps: KeeperDeps): Keeper {
  return {
    check: async () => {
      try {
        const hasScripts = await isGateLoaded(deps.redis)
        const unopened = await listUnopened(deps, hasScripts)
        if (hasScripts && unopened.length === 0) return { kind: 'open' }
        const suspect = await openShards(deps, unopened)
        if (!hasScripts) await loadScripts(deps.redis)
        return { kind: 'opened', suspect }
      } catch (cause) {
        return { kind: 'away', cause }
      }
    },
  }
}

/** Whether this Redis knows every ledger script, that is whether a keeper has looked at it. For readiness. */
export async function isGateLoaded(redis: Redis): Promise<boolean> {
  const known = await redis.script('EXISTS', ...ledgerScripts.map((script) => script.sha))
  return Array.isArray(known) && known.length === ledgerScripts.length && known.every((one) => one === 1)
}

/** Without scripts every shard must be looked at; with them only those that lost their gate (an emptied Redis keeps its scripts). */
async function listUnopened({ redis, shards }: KeeperDeps, hasScripts: boolean): Promise<number[]> {
  const all = Array.from({ length: shards }, (_, shard) => shard)
  if (!hasScripts) return all
  const gates = await Promise.all(all.map((shard) => redis.hmget(keys.gate(shard), 'epoch', 'closed')))
  return all.filter((shard) => gates[shard]?.every((field) => field === null) ?? true)
}

async function openShards({ redis, withCursor, onAlarm }: KeeperDeps, unopened: readonly number[]): Promise<number[]> {
  const suspect: number[] = []
  const openGate = buildLedgerScript('open-gate')
  for (const shard of unopened) {
    const reason = await withCursor(shard, async (cursor) => {
      const problem = await findRegression(redis, shard, cursor)
      if (problem === undefined) await redis.eval(openGate, 1, keys.gate(shard))
      else await closeShard(redis, shard)
      return problem
    })
    if (reason === undefined) continue
    suspect.push(shard)
    onAlarm(shard, reason)
  }
  return suspect
}

/** Refuses everything in a shard until a keeper opens it again. */
export async function closeShard(redis: Redis, shard: number): Promise<void> {
  await redis.hset(keys.gate(shard), 'closed', '1')
}

async function findRegression(redis: Redis, shard: number, cursor: PostedCursor): Promise<string | undefined> {
  if (cursor.is_suspect) return 'the shard was found suspect before and nobody has repaired it'
  const n = Number((await redis.hget(keys.gate(shard), 'n')) ?? '0')
  if (n < cursor.last_n) return `Redis has counted ${n} events, Postgres has posted ${cursor.last_n}`
  const lastId = await lastStreamId(redis, keys.usage(shard))
  if (compareStreamIds(lastId, cursor.last_id) < 0) return `the stream ends at ${lastId}, Postgres has posted up to ${cursor.last_id}`
  return undefined
}

async function lastStreamId(redis: Redis, key: string): Promise<string> {
  if ((await redis.exists(key)) === 0) return '0-0'
  const info: unknown = await redis.xinfo('STREAM', key)
  if (!Array.isArray(info)) throw new Error('XINFO STREAM answered no list')
  return String(info[info.indexOf('last-generated-id') + 1])
}

/** Negative when `a` is older than `b`. Ids are `ms-seq`. */
export function compareStreamIds(a: string, b: string): number {
  const [aMs = '0', aSeq = '0'] = a.split('-')
  const [bMs = '0', bSeq = '0'] = b.split('-')
  return Number(aMs) - Number(bMs) || Number(aSeq) - Number(bSeq)
}

async function loadScripts(redis: Redis): Promise<void> {
  for (const script of ledgerScripts) {
    const sha = await redis.script('LOAD', script.text)
    if (sha !== script.sha) throw new Error(`Redis computed another sha for ${script.name}`)
  }
}
