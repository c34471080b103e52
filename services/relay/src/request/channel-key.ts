/** One model on one key of one channel, which has one circuit breaker. */
export type ChannelKey = {
  readonly channel_id: number
  readonly model: string
  /** Id of the key; '' for a channel with one key. */
  readonly key_id: string
}
