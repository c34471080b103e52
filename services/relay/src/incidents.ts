import type { ChannelSnapshot } from '@tollgate/contracts/snapshot'
import { keys } from '@tollgate/redis/keys'
import type { Redis } from '@tollgate/redis/connect'
import type { Logger } from '@tollgate/telemetry/logger'
import { visible } from '@tollgate/telemetry/visible'

/** What made a channel look unusable; the worker weighs it and may take the channel out of service. */
export type Incident = { readonly reason: string; readonly status: number | undefined }

export type Incidents = { append(channel: ChannelSnapshot, incident: Incident): void }

const MAX_LENGTH = 100_000

/** Appends to the stream of incidents, off the request path: a lost one is no loss of money. */
export function createIncidents(redis: Redis, log: Logger, now: () => number): Incidents {
  return {
    append: (channel, { reason, status }) => {
      const fields = { channel_id: channel.id, channel_name: channel.name, at: now(), reason: visible(reason, 500), status: status ?? 0 }
      redis.xadd(keys.incidents(), 'MAXLEN', '~', MAX_LENGTH, '*', 'incident', JSON.stringify(fields)).catch((err: unknown) => {
        log.warn({ err }, 'an incident could not be noted')
      })
    },
  }
}
