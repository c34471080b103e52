/** A call to a vendor, ready to be sent: no decision is left in it. */
export type PreparedCall = {
  readonly method: 'POST' | 'GET'
  /** scheme://host[:port] */
  readonly origin: string
  /** Path and query. */
  readonly path: string
  /** Flat list: name, value, name, value. Holds the channel's key: never log it. */
  readonly headers: readonly string[]
  readonly body: Buffer | undefined
  readonly proxy: string | undefined
  /** Connections are pooled and capped per lane. */
  readonly poolKey: string
  readonly upstream_model: string
}

export type CallTimeouts = {
  /** From sending to the head of the answer. */
  readonly first_byte_ms: number
  /** Between two pieces of the answer, not counted while the reader is behind. */
  readonly idle_ms: number
}
