import { AppError } from '@tollgate/contracts/app-error'
import { ClientDisconnect } from '../transport/body/collect-body.ts'

/** A request's place among those that are read, priced and reserved now. */
export type Permit = { /** Lets the next one in; may be called more than once. */ leave(): void }

type Visitor = { readonly isClosed: boolean }
type Waiting = { readonly visitor: Visitor; readonly since: number; enter(permit: Permit): void; refuse(error: Error): void }

export type AdmissionQueueOptions = {
  /** How many are inside at once. */
  readonly atOnce: number
  /** Who has waited longer is refused: the answer would come too late for anybody. */
  readonly longestWaitMs: number
  readonly now?: () => number
}

/**
 * Lets requests to their work in the order in which they came, a few at a time. A process that takes on all that arrive does a step of
 * each in turn: with more than it can do every turn becomes longer, until each reserve is given up before its answer is read and
 * nobody is served at all. Those who wait here cost what their connection keeps, and those who left meanwhile nothing more.
 *
 * Only work is counted: nobody is inside while a client sends its body, a cold account is loaded or a vendor thinks.
 */
export class AdmissionQueue {
  readonly #options: AdmissionQueueOptions
  readonly #now: () => number
  #inside = 0
  readonly #line: Waiting[] = []

  constructor(options: AdmissionQueueOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  get inside(): number {
    return this.#inside
  }

  get isFull(): boolean {
    return this.#inside >= this.#options.atOnce
  }

  get waiting(): number {
    return this.#line.length
  }

  /** At once where there is room. Rejects with 503 who waited too long, and with ClientDisconnect who is not there any more. */
  enter(visitor: Visitor): Permit | Promise<Permit> {
    if (this.#inside < this.#options.atOnce) return this.#admit()
    return new Promise((enter, refuse) => {
      this.#line.push({ visitor, since: this.#now(), enter, refuse })
    })
  }

  #admit(): Permit {
    this.#inside += 1
    let isInside = true
    return {
      leave: () => {
        if (!isInside) return
        isInside = false
        this.#inside -= 1
        this.#admitNext()
      },
    }
  }

  #admitNext(): void {
    const oldest = this.#now() - this.#options.longestWaitMs
    for (let next = this.#line.shift(); next !== undefined; next = this.#line.shift()) {
      if (next.visitor.isClosed) next.refuse(new ClientDisconnect('client closed'))
      else if (next.since < oldest) next.refuse(new AppError('request.busy'))
      else {
        next.enter(this.#admit())
        return
      }
    }
  }
}
