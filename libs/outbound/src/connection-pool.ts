import { Client, type Dispatcher } from 'undici'
import { InFlightCall } from './in-flight-call.ts'

/** Dispatches calls over the connections of one route. */
export type CallDispatcher = {
  dispatch(options: Dispatcher.DispatchOptions, inFlight: InFlightCall): void
  close(): Promise<void>
  destroy(): Promise<void>
}

/** An undici client that tells each call whether its connection was used before. */
export class TrackedClient extends Client {
  #responses = 0
  /** When the current connection was opened, by `performance.now`. */
  connectedAt = 0
  /** Takes no new calls and closes after the current one. */
  isRetired = false

  constructor(origin: string | URL, options: Client.Options) {
    super(origin, options)
    this.on('connect', TrackedClient.#begin)
  }

  static #begin(this: TrackedClient): void {
    this.#responses = 0
    this.connectedAt = performance.now()
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (handler instanceof InFlightCall) handler.connection = this
    return super.dispatch(options, handler)
  }

  get isReused(): boolean {
    return this.#responses > 0
  }

  noteResponse(): void {
    this.#responses += 1
  }
}

type Options = Client.Options & {
  readonly connections: number
  /** Age in milliseconds after which a connection takes no new calls. */
  readonly connectionAgeMs: number
}
type QueuedCall = { readonly options: Dispatcher.DispatchOptions; readonly inFlight: InFlightCall }

/**
 * Connections to one origin, with one call at a time on each. The most recently used connection is taken first, so that surplus
 * connections of a peak become idle and close. Calls without a free connection queue in order of arrival.
 *
 * undici's Pool scans its connections for a free one twice per call; with two thousand open streams that cost more than the call
 * itself (docs/performance.md).
 */
export class ConnectionPool implements CallDispatcher {
  readonly #origin: string | URL
  readonly #options: Client.Options
  readonly #maxConnections: number
  readonly #maxAgeMs: number
  readonly #all = new Set<TrackedClient>()
  readonly #free: TrackedClient[] = []
  readonly #queue: QueuedCall[] = []
  /** One listener shared by thousands of connections; `this` is the client that emits. */
  readonly #onDrain: (this: TrackedClient) => void
  readonly #onDisconnect: (this: TrackedClient) => void

  constructor(origin: string | URL, { connections, connectionAgeMs, ...options }: Options) {
    this.#origin = origin
    this.#options = { ...options, pipelining: 1 }
    this.#maxConnections = connections
    this.#maxAgeMs = connectionAgeMs
    const assign = (client: TrackedClient) => this.#assign(client)
    const remove = (client: TrackedClient) => this.#remove(client)
    this.#onDrain = function onDrain() {
      assign(this)
    }
    this.#onDisconnect = function onDisconnect() {
      remove(this)
    }
  }

  dispatch(options: Dispatcher.DispatchOptions, inFlight: InFlightCall): void {
    const client = this.#take()
    if (client === undefined) this.#queue.push({ options, inFlight })
    else this.#send(client, { options, inFlight })
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((client) => client.close()))
  }

  async destroy(): Promise<void> {
    for (const { inFlight } of this.#queue.splice(0)) inFlight.abort()
    await Promise.all([...this.#all].map((client) => client.destroy()))
  }

  #send(client: TrackedClient, { options, inFlight }: QueuedCall): void {
    // A client that accepts the call emits 'drain' when it is free again; one whose call failed at once is still free.
    if (client.dispatch(options, inFlight) || inFlight.isOver) this.#free.push(client)
  }

  #take(): TrackedClient | undefined {
    for (let client = this.#free.pop(); client !== undefined; client = this.#free.pop()) {
      if (performance.now() - client.connectedAt <= this.#maxAgeMs) return client
      this.#retire(client)
    }
    return this.#all.size < this.#maxConnections ? this.#open() : undefined
  }

  #open(): TrackedClient {
    const client = new TrackedClient(this.#origin, this.#options)
    client.connectedAt = performance.now()
    this.#all.add(client)
    client.on('drain', this.#onDrain)
    client.on('disconnect', this.#onDisconnect)
    client.on('connectionError', this.#onDisconnect)
    return client
  }

  /** Gives the client to the longest-waiting call. */
  #assign(client: TrackedClient): void {
    if (client.isRetired) return
    let next = this.#queue.shift()
    while (next?.inFlight.isOver === true) next = this.#queue.shift()
    if (next === undefined) this.#free.push(client)
    else this.#send(client, next)
  }

  #remove(client: TrackedClient): void {
    if (client.isRetired) return
    const at = this.#free.indexOf(client)
    if (at !== -1) this.#free.splice(at, 1)
    this.#retire(client)
    const next = this.#queue.length > 0 ? this.#take() : undefined
    if (next !== undefined) this.#assign(next)
  }

  /** Removes the client; its current call still completes. */
  #retire(client: TrackedClient): void {
    client.isRetired = true
    this.#all.delete(client)
    void client.close().catch(() => undefined) // already closed
  }
}
