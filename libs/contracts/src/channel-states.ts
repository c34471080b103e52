/** Why a channel needs an operator; `attention` is any of them. Without zod, for the console's list. */
export const CHANNEL_STATES = ['attention', 'failing', 'auto-disabled', 'keys-out', 'test-failed', 'low-balance'] as const
export type ChannelState = (typeof CHANNEL_STATES)[number]
