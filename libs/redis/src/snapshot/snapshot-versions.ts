import { duplicateRedis, type Redis } from '../connect.ts'
import { every } from '../every.ts'
import { keys } from '../keys.ts'

export type SnapshotVersions = {
  /** False while announcements may be missed. */
  isFollowing(): boolean
  /** Opens the connection again: an announcement did not arrive. */
  reconnect(): void
  stop(): void
}

type Listeners = {
  /** A version was published; also called when announcements may have been missed. */
  readonly onVersion: () => void
  /** It began or ceased to follow. */
  readonly onChange: () => void
}

/** This connection only receives: without these a peer that fell silent, or a firewall that dropped it as idle, would go unnoticed. */
const PING_EVERY_MS = 5000

/** Subscribes to the versions that publishers announce, on a connection of its own. Opens it again, and subscribes again, whenever it closes. */
export function followSnapshotVersions(redis: Redis, { onVersion, onChange }: Listeners): SnapshotVersions {
  const own = duplicateRedis(redis, { autoResubscribe: false })
  let isFollowing = false
  const pings = every(PING_EVERY_MS, () => {
    if (isFollowing) own.ping().catch(() => undefined)
  })
  own.on('message', onVersion)
  own.on('close', () => {
    const wasFollowing = isFollowing
    isFollowing = false
    if (wasFollowing) onChange()
  })
  own.on('ready', () => {
    const follow = (): void => {
      isFollowing = true
      onChange()
      onVersion()
    }
    // Refused, or closed meanwhile: versions are polled until the next connection.
    own.subscribe(keys.snapshotVersions()).then(follow, () => undefined)
  })
  const stop = (): void => {
    pings.stop()
    own.disconnect()
  }
  return { isFollowing: () => isFollowing, reconnect: () => own.disconnect(true), stop }
}
