/** One order to the generator: what to send, how, and for how long. */
export type Job = {
  readonly port: number
  readonly path: string
  /** Beside Host, Content-Type and Content-Length. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** File with one key per line, given in turn as `Authorization: Bearer sk-…`; empty: none. */
  readonly keys: string
  readonly shape: Shape
  readonly warmup: number
  readonly seconds: number
}

export type Shape =
  /** As fast as this many connections can. */
  | { readonly kind: 'closed'; readonly connections: number }
  /** Requests per second, whether the answers come or not. */
  | { readonly kind: 'open'; readonly rate: number; readonly connections: number }
  /** Streams held open at once; a stream that ends is followed by another. */
  | { readonly kind: 'streams'; readonly streams: number; readonly perSecond: number }
  /** Clients that send a request and never read the answer. */
  | { readonly kind: 'stalled'; readonly clients: number }
  /** Streams per second, each left by its client after so many chunks. */
  | { readonly kind: 'aborts'; readonly rate: number; readonly afterChunks: number }

export type Quantiles = { readonly p50: number; readonly p90: number; readonly p99: number; readonly max: number; readonly count: number }

/** What came of it, all of the measured seconds only. Times in microseconds. */
export type Outcome = {
  readonly completed: number
  readonly failed: number
  readonly statuses: Readonly<Record<string, number>>
  readonly latency: Quantiles
  readonly firstByte: Quantiles
  readonly chunks: number
  /** From the vendor's stamp to the client, sampled once per read. */
  readonly chunkDelay: Quantiles
  /** How late requests were sent after they were due. */
  readonly lateness: Quantiles
  readonly openStreams: number
  readonly seconds: number
}

export type GeneratorEvent = { readonly at: 'begin' } | { readonly at: 'end'; readonly outcome: Outcome }
