import { Client, type Dispatcher } from 'undici'
import { InFlightCall } from './in-flight-call.ts'

/** What sends exchanges over connections of one route. */
export type Calls = {
  dispatch(options: Dispatcher.DispatchOptions, inFlight: InFlightCall): void
  close(): Promise<void>
  destroy(): Promise<void>
}

/** A client that tells each exchange whether its connection was used before. */
export class TrackedClient extends Client {
  #responses = 0
  /** Of the connection that it has, by `performance.now`. */
  connectedAt = 0
  /** Serves nobody new. */
  isLeaving = false

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
  /** A connection serves no new exchange after this many milliseconds. */
  readonly connectionAgeMs: number
}
type Waiting = { readonly options: Dispatcher.DispatchOptions; readonly inFlight: InFlightCall }

/**
 * Connections to one origin, one exchange at a time on each. The one that became free last is taken first, so that what a peak has
 * opened falls idle and closes; who finds none waits in line.
 *
 * undici's Pool asks its connections one after the other which is free, twice for each call: with two thousand open streams that cost
 * more than the call itself (docs/performance.md).
 */
export class ConnectionPool implements Calls {
  readonly #origin: string | URL
  readonly #options: Client.Options
  readonly #most: number
  readonly #ageMs: number
  readonly #all = new Set<TrackedClient>()
  readonly #free: TrackedClient[] = []
  readonly #waiting: Waiting[] = []
  /** The same for all connections, of which there are thousands: `this` is the one that speaks. */
  readonly #onDrain: (this: TrackedClient) => void
  readonly #onLost: (this: TrackedClient) => void

  constructor(origin: string | URL, { connections, connectionAgeMs, ...options }: Options) {
    this.#origin = origin
    this.#options = { ...options, pipelining: 1 }
    this.#most = connections
    this.#ageMs = connectionAgeMs
    const serve = (client: TrackedClient) => this.#serve(client)
    const drop = (client: TrackedClient) => this.#drop(client)
    this.#onDrain = function onDrain() {
      serve(this)
    }
    this.#onLost = function onLost() {
      drop(this)
    }
  }

  dispatch(options: Dispatcher.DispatchOptions, inFlight: InFlightCall): void {
    const client = this.#take()
    if (client === undefined) this.#waiting.push({ options, inFlight })
    else this.#send(client, { options, inFlight })
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((client) => client.close()))
  }

  async destroy(): Promise<void> {
    for (const { inFlight } of this.#waiting.splice(0)) inFlight.abort()
    await Promise.all([...this.#all].map((client) => client.destroy()))
  }

  #send(client: TrackedClient, { options, inFlight }: Waiting): void {
    // One that takes it is free again when it says so; what it refused at once has left it free.
    if (client.dispatch(options, inFlight) || inFlight.isOver) this.#free.push(client)
  }

  #take(): TrackedClient | undefined {
    for (let client = this.#free.pop(); client !== undefined; client = this.#free.pop()) {
      if (performance.now() - client.connectedAt <= this.#ageMs) return client
      this.#release(client)
    }
    return this.#all.size < this.#most ? this.#open() : undefined
  }

  #open(): TrackedClient {
    const client = new TrackedClient(this.#origin, this.#options)
    client.connectedAt = performance.now()
    this.#all.add(client)
    client.on('drain', this.#onDrain)
    client.on('disconnect', this.#onLost)
    client.on('connectionError', this.#onLost)
    return client
  }

  /** The one that waits longest has the next free connection. */
  #serve(client: TrackedClient): void {
    if (client.isLeaving) return
    let next = this.#waiting.shift()
    while (next?.inFlight.isOver === true) next = this.#waiting.shift()
    if (next === undefined) this.#free.push(client)
    else this.#send(client, next)
  }

  #drop(client: TrackedClient): void {
    if (client.isLeaving) return
    const at = this.#free.indexOf(client)
    if (at !== -1) this.#free.splice(at, 1)
    this.#release(client)
    const next = this.#waiting.length > 0 ? this.#take() : undefined
    if (next !== undefined) this.#serve(next)
  }

  /** What it is still at, it ends. */
  #release(client: TrackedClient): void {
    client.isLeaving = true
    this.#all.delete(client)
    void client.close().catch(() => undefined) // it may be closed already
  }
}
