import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import { appendIncident, type ChannelIncident } from '@tollgate/redis/stores/incident-stream'
import type { Redis } from '@tollgate/redis/connect'
import type { Logger } from '@tollgate/telemetry/logger'
import { visible } from '@tollgate/telemetry/visible'

/** Evidence that a channel or key is unusable. The worker weighs it and may disable the channel. */
export type Incident = {
  readonly reason: string
  /** Id of the key that was refused; '' for a channel with one key. */
  readonly key_id: string
  readonly status: number | undefined
  readonly code: string | undefined
}

export type Incidents = { append(channel: ChannelSnapshot, incident: Incident): void }

/** Appends to the incident stream, off the request path; a lost incident costs no money. */
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
      appendIncident(redis, incident).catch((err: unknown) => log.warn({ err }, 'Channel incident was not recorded'))
    },
  }
}
