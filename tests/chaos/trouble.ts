import { setTimeout as wait } from 'node:timers/promises'
import { connectRedis } from '@tollgate/redis/connect'
import { deeds, KILLS, REDIS_SWAPS, type Deed, type Kind, type Scene } from './deeds.ts'
import type { People } from './people.ts'
import type { Random } from './random.ts'
import type { Cluster } from './cluster.ts'

/** What was done and when; `to` 0: still going on. */
export type Incident = { readonly kind: Kind; readonly target: string; readonly from: number; to: number; error?: string }

export type Trouble = {
  readonly incidents: readonly Incident[]
  kills(): number
  finish(): Promise<void>
}

type TroubleOptions = {
  readonly cluster: Cluster
  readonly people: People
  readonly random: Random
  readonly kinds: readonly Kind[]
  readonly isLong: boolean
  readonly isTogether: boolean
  /** Milliseconds between two deeds, drawn evenly. */
  readonly gap: readonly [number, number]
}

/** Does one thing after the other, as the seed says; those of different targets overlap. */
export function startTrouble({ cluster, people, random, kinds, isLong, isTogether, gap }: TroubleOptions): Trouble {
  const incidents: Incident[] = []
  const busy = new Map<string, Promise<void>>()
  const redis = connectRedis(cluster.redisUrl, 'ledger')
  const scene: Scene = { cluster, people, random, redis, isLong, isTogether }
  const ending = new AbortController()
  const start = (kind: Kind, deed: Deed, target: string): void => {
    const incident: Incident = { kind, target, from: Date.now(), to: 0 }
    incidents.push(incident)
    const done = inTime(deed.run(scene, target))
      .catch((error: unknown) => {
        // An edit may find the control plane or Postgres dead: that is part of the game, and is counted.
        incident.error = error instanceof Error ? error.message : String(error)
      })
      .finally(() => {
        incident.to = Date.now()
        busy.delete(target)
      })
    busy.set(target, done)
  }
  const go = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await wait(random.between(...gap), undefined, { signal: ending.signal }).catch(() => undefined)
      const kind = drawKind(kinds, random)
      const deed: Deed = deeds[kind]
      const target = deed.target(scene)
      if (ending.signal.aborted || busy.has(target) || (!isTogether && isSecondDeath({ kind, target }, incidents))) continue
      start(kind, deed, target)
    }
  }
  const going = kinds.length === 0 ? Promise.resolve() : go()
  return {
    incidents,
    kills: () => incidents.filter(({ kind }) => KILLS.includes(kind)).length,
    finish: async () => {
      ending.abort()
      await going
      await Promise.all(busy.values())
      redis.disconnect()
    },
  }
}

const SETTLED_AGAIN_MS = 5000
const RELAY_ENDS: readonly Kind[] = ['relay-kill', 'relay-restart']
/** What a relay wrote last is posted, and in Redis' file, by then: a busy disk keeps it back for 2 s. */
const FSYNC_MS = 6000

/**
 * The ledger promises to survive the death of any one process. What two deaths at once take away is forgotten by both who knew it:
 * a relay that dies while Redis is away, before it could send again what Redis forgot, or a moment before Redis forgets it, and a Postgres and a Redis that both come
 * back older. Only `--together` does that.
 */
function isSecondDeath({ kind, target }: { kind: Kind; target: string }, incidents: readonly Incident[]): boolean {
  const isRecent = (isOne: (incident: Incident) => boolean, sinceMs: number): boolean =>
    incidents.some((incident) => isOne(incident) && (incident.to === 0 || Date.now() - incident.to < sinceMs))
  if (RELAY_ENDS.includes(kind)) {
    // One that stood still meanwhile sends again when it goes on.
    return isRecent((one) => one.target === 'redis' || (one.kind === 'relay-stop' && one.target === target), SETTLED_AGAIN_MS)
  }
  if (REDIS_SWAPS.includes(kind)) {
    const isJustGone = incidents.some((one) => RELAY_ENDS.includes(one.kind) && (one.to === 0 || Date.now() - one.to < FSYNC_MS))
    return isJustGone || isRecent((incident) => incident.kind === 'postgres-rollback', SETTLED_AGAIN_MS)
  }
  if (kind === 'postgres-rollback') return isRecent((incident) => REDIS_SWAPS.includes(incident.kind), SETTLED_AGAIN_MS)
  return false
}

const PATIENCE_MS = 150_000

/** An edit whose answer never comes must not keep the others waiting. */
async function inTime(work: Promise<void>): Promise<void> {
  const ending = new AbortController()
  const late = wait(PATIENCE_MS, undefined, { signal: ending.signal, ref: false }).then(() => {
    throw new Error('no answer')
  })
  try {
    await Promise.race([work, late])
  } finally {
    ending.abort()
    late.catch(() => undefined)
  }
}

function drawKind(kinds: readonly Kind[], random: Random): Kind {
  let left = random.next() * kinds.reduce((sum, kind) => sum + deeds[kind].weight, 0)
  return kinds.find((kind) => (left -= deeds[kind].weight) < 0) ?? random.pick(kinds)
}
