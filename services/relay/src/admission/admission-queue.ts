import { AppError } from '@tollgate/contracts/app-error'
import { ClientDisconnectedError } from '../errors/client-disconnected-error.ts'

/** The right to use the CPU for reading, pricing and reserving one request. */
export type Permit = { /** Lets the next queued request start; may be called more than once. */ release(): void }

type Client = { readonly isClosed: boolean }
type Queued = { readonly client: Client; readonly since: number; resolve(permit: Permit): void; reject(error: Error): void }

export type AdmissionQueueOptions = {
  readonly maxConcurrent: number
  /** A request that waited longer than this is rejected with 503. */
  readonly maxQueueMs: number
  readonly now?: () => number
}

/**
 * Limits how many requests use the CPU at once, in order of arrival. Without it an overloaded process does one step of every request in
 * turn, each turn takes longer, and every reserve call times out before its answer is read. A queued request costs its connection only.
 *
 * Requests that wait for a client's body, a cold account or a vendor hold no permit.
 */
export class AdmissionQueue {
  readonly #options: AdmissionQueueOptions
  readonly #now: () => number
  #active = 0
  readonly #queue: Queued[] = []

  constructor(options: AdmissionQueueOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  /** Permits that are held. */
  get active(): number {
    return this.#active
  }

  get isFull(): boolean {
    return this.#active >= this.#options.maxConcurrent
  }

  /** Requests that are queued. */
  get waiting(): number {
    return this.#queue.length
  }

  /** Synchronous while permits are free. Rejects with 503 after `maxQueueMs`, and with ClientDisconnectedError for a closed connection. */
  acquire(client: Client): Permit | Promise<Permit> {
    if (this.#active < this.#options.maxConcurrent) return this.#grant()
    return new Promise((resolve, reject) => {
      this.#queue.push({ client, since: this.#now(), resolve, reject })
    })
  }

  #grant(): Permit {
    this.#active += 1
    let isHeld = true
    return {
      release: () => {
        if (!isHeld) return
        isHeld = false
        this.#active -= 1
        this.#grantNext()
      },
    }
  }

  #grantNext(): void {
    const oldest = this.#now() - this.#options.maxQueueMs
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      if (next.client.isClosed) next.reject(new ClientDisconnectedError())
      else if (next.since < oldest) next.reject(new AppError('request.busy'))
      else {
        next.resolve(this.#grant())
        return
      }
    }
  }
}
