import { randomUUID } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import { createRequestId } from '@tollgate/http/request-id'
import { transcriberOf } from '@tollgate/providers/operations/realtime'
import type WebSocket from 'ws'
import type { RelayDeps } from '../deps.ts'
import { RefusalTrail } from '../request/refusal-facts.ts'
import type { RequestContext } from '../request/context.ts'
import { StepClock } from '../request/step-clock.ts'
import { refuse } from '../response/refuse.ts'
import { sendEvent } from './client-socket.ts'
import { CLOSE_CODES } from './close-codes.ts'
import { connectVendor, type Connected } from './connect.ts'
import { SocketReply } from './socket-reply.ts'

/** How long a client may take to name its model. */
const NAMING_MS = 30_000

type Options = {
  readonly socket: WebSocket
  readonly context: RequestContext
  readonly deps: RelayDeps
  /** Serves the session once a vendor is connected. */
  onConnected(connected: Connected): void
  onOver(): void
}

/**
 * A session that only transcribes, until its first event names the model: only then a channel can be chosen and money held. The client gets
 * `session.created` at once, because some wait for it. https://platform.openai.com/docs/guides/realtime-transcription
 */
export class UnnamedSession {
  readonly #options: Options
  readonly #waiting: string[] = []
  readonly #timer: NodeJS.Timeout
  #isNamed = false

  constructor(options: Options) {
    this.#options = options
    const { socket, onOver } = options
    socket.on('message', this.#read)
    socket.on('error', () => undefined)
    socket.once('close', this.#end)
    this.#timer = setTimeout(() => this.#refuse(), NAMING_MS)
    socket.once('close', onOver)
    const id = `sess_${randomUUID().replaceAll('-', '')}`
    sendEvent(socket, { type: 'session.created', session: { id, type: 'transcription', object: 'realtime.transcription_session' } })
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
    const model = transcriberOf(text)
    if (model === undefined) return this.#refuse()
    this.#isNamed = true
    clearTimeout(this.#timer)
    // What the client sends meanwhile waits in the kernel, but for the rest of this packet.
    this.#options.socket.pause()
    void this.#connect(model)
  }

  readonly #end = (): void => clearTimeout(this.#timer)

  async #connect(model: string): Promise<void> {
    const { socket, deps, onConnected, onOver } = this.#options
    const context = this.#request()
    try {
      const connected = await connectVendor(context, deps, model)
      if (connected === undefined) return
      socket.off('message', this.#read)
      socket.off('close', this.#end)
      onOver()
      onConnected({ ...connected, first: this.#waiting, is_greeted: true })
    } catch (error) {
      refuse(context, error, deps)
    } finally {
      socket.resume()
    }
  }

  /** A request of its own: it begins when the model is known. */
  #request(): RequestContext {
    const { context, deps, socket } = this.#options
    const now = deps.now()
    const fresh = { id: createRequestId(now), clock: new StepClock(now), refusal: new RefusalTrail() }
    return { ...context, ...fresh, reply: new SocketReply(socket) }
  }

  #refuse(): void {
    refuse(this.#request(), new AppError('model.missing'), this.#options.deps)
  }
}
