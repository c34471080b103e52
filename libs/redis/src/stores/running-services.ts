import { z } from 'zod'
import { ServiceFacts, type SeenService } from '@tollgate/contracts/resources/health'
import type { Redis } from 'ioredis'
import { every } from '../every.ts'
import { keys } from '../keys.ts'

const Report = z.object({ at: z.number(), facts: ServiceFacts })

const INTERVAL_MS = 5000
const GONE_AFTER_MS = 15_000
/** A process that died is shown for this long. */
const FORGET_AFTER_MS = 3_600_000
const TTL_SECONDS = 86_400

type Reporting = {
  readonly redis: Redis
  readonly id: string
  readonly facts: () => Promise<ServiceFacts>
  /** Unix milliseconds. */
  readonly now: () => number
  readonly intervalMs?: number
}

/** Reports this process until it is stopped, which removes the report. A failed report is not repeated: the next one follows. */
export function startServiceReport({ redis, id, facts, now, intervalMs = INTERVAL_MS }: Reporting): { stop(): Promise<void> } {
  const key = keys.services()
  let running: Promise<void> | undefined
  const report = async (): Promise<void> => {
    const line = JSON.stringify({ at: now(), facts: await facts() })
    await Promise.all([redis.hset(key, id, line), redis.expire(key, TTL_SECONDS)])
  }
  const tick = (): void => {
    // The loops of the service log a Redis that does not answer.
    running ??= report()
      .catch(() => undefined)
      .finally(() => (running = undefined))
  }
  tick()
  const ticks = every(intervalMs, tick)
  return {
    stop: async () => {
      ticks.stop()
      await running
      await redis.hdel(key, id).catch(() => undefined)
    },
  }
}

/** Every process that reported within an hour, by service and start. */
export async function listServices(redis: Redis, now: number): Promise<SeenService[]> {
  const seen: SeenService[] = []
  const forgotten: string[] = []
  for (const [id, text] of Object.entries(await redis.hgetall(keys.services()))) {
    const report = parseReport(text)
    if (report === undefined || now - report.at > FORGET_AFTER_MS) forgotten.push(id)
    else seen.push({ ...report.facts, id, seen_at: Math.floor(report.at / 1000), is_running: now - report.at <= GONE_AFTER_MS })
  }
  if (forgotten.length > 0) await redis.hdel(keys.services(), ...forgotten)
  return seen.toSorted((a, b) => a.service.localeCompare(b.service) || a.started_at - b.started_at || a.id.localeCompare(b.id))
}

/** Undefined for text of another version. */
function parseReport(text: string): z.infer<typeof Report> | undefined {
  try {
    return Report.safeParse(JSON.parse(text)).data
  } catch {
    // Written by another version: ignored.
    return undefined
  }
}
