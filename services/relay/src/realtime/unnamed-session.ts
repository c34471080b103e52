import { AppError } from '@tollgate/contracts/app-error'
import { createRequestId } from '@tollgate/http/request-id'
import type WebSocket from 'ws'
import type { RelayDeps } from '../deps.ts'
import { RefusalTrail } from '../request/refusal-facts.ts'
import type { RequestContext } from '../request/context.ts'
import { StepClock } from '../request/step-clock.ts'
import { refuse } from '../response/refuse.ts'
import { CLOSE_CODES } from './close-codes.ts'
import { SocketReply, type RefuseSession } from './socket-reply.ts'

/** How long a client may take to name its model. */
const NAMING_MS = 30_000

type Options<Connected> = {
  readonly socket: WebSocket
  readonly context: RequestContext
  readonly deps: RelayDeps
  readonly refuseBy: RefuseSession
  /** Chooses a channel by the first message; undefined: the client was refused. */
  connect(context: RequestContext, first: string): Promise<Connected | undefined>
  /** Serves the session once a vendor is connected; `waiting` are all messages so far, the first included. */
  onConnected(connected: Connected, waiting: readonly string[]): void
  onOver(): void
}

/** A session whose address names no model, until its first message does: only then a channel can be chosen and money held. */
export class UnnamedSession<Connected> {
  readonly #options: Options<Connected>
  readonly #waiting: string[] = []
  readonly #timer: NodeJS.Timeout
  #isNamed = false

  constructor(options: Options<Connected>) {
    this.#options = options
    const { socket, onOver } = options
    socket.on('message', this.#read)
    socket.on('error', () => undefined)
    socket.once('close', this.#end)
    this.#timer = setTimeout(() => this.#refuse(), NAMING_MS)
    socket.once('close', onOver)
  }

  /** This process stops. */
  stop(): void {
    this.#options.socket.close(CLOSE_CODES.stopping)
  }

  finish(): void {
    if (!this.#isNamed) this.stop()
  }

  readonly #read = (data: Buffer): void => {
    const text = data.toString()
    this.#waiting.push(text)
    if (this.#isNamed) return
    this.#isNamed = true
    clearTimeout(this.#timer)
    // Messages that the client sends meanwhile wait in the kernel, but for the rest of this packet.
    this.#options.socket.pause()
    void this.#connect(text)
  }

  readonly #end = (): void => clearTimeout(this.#timer)

  async #connect(first: string): Promise<void> {
    const { socket, deps, connect, onConnected, onOver } = this.#options
    const context = this.#request()
    try {
      const connected = await connect(context, first)
      if (connected === undefined) return
      socket.off('message', this.#read)
      socket.off('close', this.#end)
      onOver()
      onConnected(connected, this.#waiting)
    } catch (error) {
      refuse(context, error, deps)
    } finally {
      socket.resume()
    }
  }

  /** A request of its own: it begins when the model is known. */
  #request(): RequestContext {
    const { context, deps, socket, refuseBy } = this.#options
    const now = deps.now()
    const fresh = { id: createRequestId(now), clock: new StepClock(now), refusal: new RefusalTrail() }
    return { ...context, ...fresh, reply: new SocketReply(socket, refuseBy) }
  }

  #refuse(): void {
    refuse(this.#request(), new AppError('model.missing'), this.#options.deps)
  }
}
