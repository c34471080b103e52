import type { RefusalBatch } from '@tollgate/contracts/relay/refusal'
import { every } from '@tollgate/redis/every'
import { appendRefusals } from '@tollgate/redis/stores/refusal-stream'
import type { Redis } from '@tollgate/redis/connect'
import { withTimeout } from '@tollgate/redis/with-timeout'
import type { Logger } from '@tollgate/telemetry/logger'
import type { RuntimeConfig } from '../config/runtime-config.ts'
import type { RequestContext } from '../request/context.ts'
import { RefusalQueue } from './refusal-queue.ts'
import { toRefusedRequest } from './refused-request.ts'
import { reasonOf } from './reason.ts'

/** Records requests of known tokens that were refused before they held money (ADR 39). */
export type Refusals = {
  /** Counts a refused request; a sample of them gets a log row. Does nothing for a request whose token is not known. */
  note(context: RequestContext, cause: unknown): void
  /** Sends what is waiting; resolves also when Redis does not answer. */
  flush(): Promise<void>
  stop(): Promise<void>
}

type Options = {
  readonly redis: Redis
  readonly relay_id: string
  readonly config: RuntimeConfig
  readonly log: Pick<Logger, 'warn'>
  readonly now: () => number
}

const INTERVAL_MS = 500
const TIMEOUT_MS = 2000
/** Batches of one flush. */
const MAX_BATCHES = 20

/** Sends refused requests to the worker twice a second, off the request path. Without Redis their counts wait in memory. */
export function createRefusals({ redis, relay_id, config, log, now }: Options): Refusals {
  const queue = new RefusalQueue()
  let seq = 0
  /** A batch without an answer is sent again under its number, so that it counts once. */
  let unconfirmed: { readonly seq: number; readonly batch: RefusalBatch } | undefined
  let running: Promise<void> | undefined
  const send = async (): Promise<void> => {
    for (let sent = 0; sent < MAX_BATCHES; sent += 1) {
      if (unconfirmed === undefined && queue.isEmpty) return
      unconfirmed ??= { seq: (seq += 1), batch: queue.take() }
      const hasRoom = await withTimeout(
        appendRefusals(redis, { relay_id, ...unconfirmed }),
        TIMEOUT_MS,
        'Redis did not take refused requests',
      )
      if (!hasRoom) queue.putBack(unconfirmed.batch)
      unconfirmed = undefined
      if (!hasRoom) return
    }
  }
  const flush = (): Promise<void> =>
    (running ??= send()
      .catch((err: unknown) => log.warn({ err }, 'Refused requests wait for Redis'))
      .finally(() => (running = undefined)))
  const ticks = every(INTERVAL_MS, () => void flush())
  return {
    note: (context, cause) => {
      const perMinute = config.settings.refused_per_minute
      const facts = perMinute === undefined ? undefined : context.refusal.take()
      if (perMinute === undefined || facts === undefined) return
      const reason = reasonOf(cause)
      const { user_id, token_id } = facts.record
      const { started_at: at } = context.clock
      queue.add({ at, user_id, token_id, reason }, perMinute, () => toRefusedRequest(context, { facts, cause, reason }, { config, now }))
    },
    flush,
    stop: async () => {
      ticks.stop()
      await flush()
      await flush()
    },
  }
}
