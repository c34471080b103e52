import type { ChannelSnapshot } from '@tollgate/contracts/snapshot'
import { appendIncident, type ChannelIncident } from '@tollgate/redis/stores/incident-stream'
import type { Redis } from '@tollgate/redis/connect'
import type { Logger } from '@tollgate/telemetry/logger'
import { visible } from '@tollgate/telemetry/visible'

/** What made a channel look unusable; the worker weighs it and may take the channel out of service. */
export type Incident = {
  readonly reason: string
  /** Id of the key that was refused; '' where the channel has one. */
  readonly key_id: string
  readonly status: number | undefined
  readonly code: string | undefined
}

export type Incidents = { append(channel: ChannelSnapshot, incident: Incident): void }

/** Appends to the stream of incidents, off the request path: a lost one is no loss of money. */
export function createIncidents(redis: Redis, log: Logger, now: () => number): Incidents {
  return {
    append: (channel, { reason, key_id, status, code }) => {
      const incident: ChannelIncident = {
        channel_id: channel.id,
        channel_name: channel.name,
        at: now(),
        reason: visible(reason, 300),
        status: status ?? 0,
        code: visible(code ?? '', 60),
        key_id,
      }
      appendIncident(redis, incident).catch((err: unknown) => log.warn({ err }, 'an incident could not be noted'))
    },
  }
}
