/** Filters of the channel list; `attention` is any of the first five reasons and `keys-expiring`. Without zod, for the console. */
export const CHANNEL_STATES = [
  'attention',
  'failing',
  'auto-disabled',
  'keys-out',
  'test-failed',
  'low-balance',
  'keys-expiring',
  'keys-disabled',
  'models-differ',
] as const
export type ChannelState = (typeof CHANNEL_STATES)[number]
