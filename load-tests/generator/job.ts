/** Requests of the generator, their shape and their duration. */
export type Job = {
  readonly port: number
  /** POST unless it is given. */
  readonly method?: 'GET'
  readonly path: string
  /** In addition to Host, Content-Type and Content-Length. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** File with one key per line, sent in turn as `Authorization: Bearer sk-…`; empty for none. */
  readonly keys: string
  readonly shape: Shape
  readonly warmup: number
  readonly seconds: number
}

export type Shape =
  /** Saturation by this many connections. */
  | { readonly kind: 'closed'; readonly connections: number }
  /** Requests per second, independent of the responses. */
  | { readonly kind: 'open'; readonly rate: number; readonly connections: number }
  /** Concurrent streams; a stream that ends is replaced. */
  | { readonly kind: 'streams'; readonly streams: number; readonly perSecond: number }
  /** Clients that send a request and never read the response. */
  | { readonly kind: 'stalled'; readonly clients: number }
  /** Streams per second, each aborted by its client after `afterChunks` chunks. */
  | { readonly kind: 'aborts'; readonly rate: number; readonly afterChunks: number }

export type Quantiles = { readonly p50: number; readonly p90: number; readonly p99: number; readonly max: number; readonly count: number }

/** Results of the measured seconds. Times in microseconds. */
export type Outcome = {
  readonly completed: number
  readonly failed: number
  readonly statuses: Readonly<Record<string, number>>
  readonly latency: Quantiles
  readonly firstByte: Quantiles
  readonly chunks: number
  /** From the vendor's time stamp to the client, sampled once per read. */
  readonly chunkDelay: Quantiles
  /** Time between a request's due time and its sending. */
  readonly lateness: Quantiles
  readonly openStreams: number
  readonly seconds: number
}

export type GeneratorEvent = { readonly at: 'begin' } | { readonly at: 'end'; readonly outcome: Outcome }
