import type { ChannelKey } from '@tollgate/contracts/channels/channel-keys'

/** True if new requests may use the key. */
export const isUsable = ({ state }: ChannelKey): boolean => state === 'enabled' || state === 'draining'

/** The keys that end with a text; of a longer text, as of a whole key, its end counts. */
export function keysFound(keys: readonly ChannelKey[], text: string): readonly ChannelKey[] {
  const wanted = text.trim().replace(/^…/, '').slice(-4)
  return wanted === '' ? keys : keys.filter(({ tail }) => tail.endsWith(wanted))
}
