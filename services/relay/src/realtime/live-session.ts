import { AppError } from '@tollgate/contracts/app-error'
import type { Usage } from '@tollgate/contracts/pricing/quote'
import { findSensitive } from '@tollgate/domain/access/sensitive'
import { plausibleUsage } from '@tollgate/domain/pricing/plausible'
import { toRawUsage } from '@tollgate/providers/chat/answer-facts'
import {
  decodeLiveClose,
  readLiveClientMessage,
  readLiveServerMessage,
  withHandle,
  type LiveServerMessage,
} from '@tollgate/providers/operations/gemini-live'
import { liveEvents } from '@tollgate/providers/operations/session-answers'
import type { SocketReader } from '@tollgate/upstream/socket'
import { KeyMask } from '../channels/key-mask.ts'
import type { RelayDeps } from '../deps.ts'
import { settleRequest } from '../pipeline/finish.ts'
import { toClientError, type ClientError } from '../request/client-error.ts'
import { toHeartbeatProgress } from '../request/heartbeat-progress.ts'
import type { Held } from '../request/phases.ts'
import type { ResponseOutcome } from '../request/response-outcome.ts'
import { UpstreamRefusal } from '../response/refuse.ts'
import type { ClientSocket } from './client-socket.ts'
import { CLOSE_CODES, codeOf, forwardedCode } from './close-codes.ts'
import { turnRequest, type LiveConnected } from './live-connect.ts'
import { LiveTurn } from './live-turn.ts'
import { holdNext, toDelivered } from './next-hold.ts'
import { startSessionRecording, type SessionRecording } from './session-recording.ts'
import { TaskQueue } from './task-queue.ts'

type Reason =
  | { readonly kind: 'client-disconnected' }
  | {
      readonly kind: 'ended'
      readonly by: 'vendor' | 'gateway'
      readonly code: number | undefined
      readonly error: ClientError | undefined
    }

/** A live session has one answer at a time. */
const TURN = ''

type Options = {
  readonly client: ClientSocket
  /** Messages of the client that came before the vendor took the session. */
  readonly waiting: readonly string[]
  readonly deps: RelayDeps
  readonly onOver: () => void
}

/**
 * One session of Google's Live API, which forwards the messages of both sides. As in a realtime session (ADR 16), a hold is open before a
 * message of the client is forwarded, and every turn of the vendor is a request of its own with its own usage. There are no error events:
 * what the gateway refuses ends the session with the reason of its close.
 */
export class LiveSession implements SocketReader {
  readonly #connected: LiveConnected
  readonly #client: ClientSocket
  readonly #deps: RelayDeps
  readonly #onOver: () => void
  readonly #mask: KeyMask
  readonly #recording: SessionRecording | undefined
  readonly #queue = new TaskQueue((error) => this.#fail(error))
  readonly #expiry: NodeJS.Timeout | undefined
  #held: Held | undefined
  #turn = new LiveTurn()
  /** The last count that was charged; a vendor that repeats it has not answered again. */
  #charged: Usage | undefined
  #context_tokens = 0
  #isOver = false

  constructor(connected: LiveConnected, { client, waiting, deps, onOver }: Options) {
    this.#connected = connected
    this.#client = client
    this.#deps = deps
    this.#onOver = onOver
    const { held, socket, setup, expires_at } = connected
    this.#mask = new KeyMask(held.progress.calls.vendorKey)
    this.#recording = startSessionRecording(held, deps)
    this.#addHold(held)
    const first = readLiveClientMessage(JSON.stringify({ setup }))
    if (first.kind === 'ok') {
      this.#turn.hear(first)
      this.#recording?.hear(first.texts)
    }
    this.#queue.add(() => this.#fromVendor(connected.greeting))
    for (const text of waiting) this.#queue.add(() => this.#fromClient(text))
    client.readWith({
      onText: (text) => this.#queue.add(() => this.#fromClient(text)),
      onClose: () => this.#queue.add(() => this.#end({ kind: 'client-disconnected' })),
    })
    socket.readWith(this)
    if (expires_at !== undefined) this.#expiry = setTimeout(() => this.#endBy(new AppError('token.expired')), expires_at - deps.now())
  }

  onMessage(text: string): void {
    this.#queue.add(() => this.#fromVendor(text))
  }

  onClose({ code, reason, error }: Parameters<SocketReader['onClose']>[0]): void {
    const isPlain = error === undefined && (code === 1000 || code === 1001 || code === 1005)
    const sent = error === undefined ? forwardedCode(code) : CLOSE_CODES.cut
    const shown = isPlain
      ? undefined
      : error === undefined
        ? this.#vendorError({ code, reason })
        : this.#errorOf(new AppError('upstream.cut'))
    this.#queue.add(() => this.#end({ kind: 'ended', by: 'vendor', code: sent, error: shown }))
  }

  /** Ends the session because this process shuts down. */
  stop(): void {
    const error = this.#errorOf(new AppError('gateway.stopping'))
    this.#queue.add(() => this.#end({ kind: 'ended', by: 'gateway', code: CLOSE_CODES.stopping, error }))
  }

  async #fromClient(text: string): Promise<void> {
    if (this.#isOver) return
    const message = readLiveClientMessage(text)
    if (message.kind === 'unreadable')
      return await this.#refuse(new AppError('request.invalid', { detail: 'the message is no JSON object with unique keys' }))
    if (message.setup !== undefined) return await this.#refuse(new AppError('request.invalid', { detail: 'the session is set up already' }))
    const { sensitive } = this.#deps.config.settings
    if (sensitive !== undefined && message.texts.some((part) => findSensitive(sensitive, part) !== undefined))
      return await this.#refuse(new AppError('content.sensitive'))
    if (this.#held === undefined && !(await this.#holdNext())) return
    this.#turn.hear(message)
    this.#recording?.hear(message.texts)
    const { socket } = this.#connected
    socket.send(text, () => this.#client.throttle(socket.buffered))
    this.#client.throttle(socket.buffered)
  }

  async #fromVendor(text: string): Promise<void> {
    // Messages still arrive until the vendor answers the close; a hold taken for them would stay open.
    if (this.#isOver) return
    const { held, socket } = this.#connected
    const message = readLiveServerMessage(text, held.progress.calls.upstream_model)
    await this.#meter(message, text)
    if (this.#isOver) return
    this.#client.forward(this.#mask.text(this.#withOwnHandle(text, message)), socket)
  }

  /** The vendor may begin an answer by itself, and report its count before or after it says that the answer is complete. */
  async #meter({ content, ends_turn, usage, raw, searches }: LiveServerMessage, text: string): Promise<void> {
    if (content !== undefined) {
      if (this.#turn.hasEnded) await this.#settleTurn()
      if (this.#held === undefined && !(await this.#holdNext({ is_owed: true }))) return
      this.#turn.add(content, this.#held?.context.clock.elapsed() ?? 0)
    }
    if (this.#recording !== undefined) this.#record(this.#recording, text)
    this.#turn.search(searches)
    const believed = plausibleUsage(usage)
    if (believed !== undefined && !this.#isRepeated(believed)) {
      this.#turn.report(believed)
      this.#turn.raw = raw === undefined ? undefined : toRawUsage(raw)
    }
    if (ends_turn && this.#turn.isRunning) this.#turn.hasEnded = true
    if (this.#turn.usage !== undefined && (this.#turn.hasEnded || !this.#turn.isRunning)) await this.#settleTurn()
  }

  #record(recording: SessionRecording, text: string): void {
    const { events, heard } = liveEvents(this.#mask.text(text))
    recording.hear([heard])
    if (events.length > 0) recording.answer(TURN, events)
  }

  #isRepeated({ prompt_tokens, completion_tokens }: Usage): boolean {
    const { isRunning } = this.#turn
    return !isRunning && this.#charged?.prompt_tokens === prompt_tokens && this.#charged.completion_tokens === completion_tokens
  }

  async #settleTurn(): Promise<void> {
    if (this.#held === undefined && !(await this.#holdNext({ is_owed: true }))) return
    const held = this.#held
    if (held === undefined) return
    this.#held = undefined
    const turn = this.#turn
    this.#turn = new LiveTurn()
    const usage = turn.usageOrEstimate(held.progress.calls.upstream_model, this.#context_tokens)
    this.#context_tokens = usage.prompt_tokens + usage.completion_tokens
    this.#charged = usage
    await this.#settle(held, { client_status: 200, ended_by: 'complete', usage }, turn)
  }

  async #settle(held: Held, outcome: ResponseOutcome, { raw, first_token_ms }: LiveTurn): Promise<void> {
    const raw_usage = raw === undefined ? undefined : this.#mask.text(raw)
    held.progress.recording = this.#recording?.take(TURN, held)
    await settleRequest({ ...toDelivered(held, outcome, raw_usage), first_token_ms }, this.#deps)
  }

  /** False: the session has ended. */
  async #holdNext(options: { readonly is_owed?: true } = {}): Promise<boolean> {
    const { held, setup } = this.#connected
    const request = turnRequest(held.request.chat.model, { setup, context: this.#context_tokens })
    const { conversation } = held.request
    const next = await holdNext(held, conversation === undefined ? request : { ...request, conversation }, options, this.#deps)
    if (next.kind === 'held') {
      this.#addHold(next.held)
      return true
    }
    await this.#end({ kind: 'ended', by: 'gateway', code: codeOf(next.error.status), error: next.error })
    return false
  }

  #addHold(held: Held): void {
    this.#held = held
    held.progress.calls.session = this.#connected.held.context.id
    this.#deps.open.open(
      held.context.id,
      () => toHeartbeatProgress(held, this.#held === held && this.#turn.isRunning ? this.#usageSoFar(held) : undefined),
      () => this.stop(),
    )
  }

  #usageSoFar(held: Held): Usage {
    return this.#turn.usageOrEstimate(held.progress.calls.upstream_model, this.#context_tokens)
  }

  #withOwnHandle(text: string, { handle }: LiveServerMessage): string {
    const { held } = this.#connected
    const { channel, channelKey } = held.progress.calls
    if (handle === undefined || channel === undefined) return text
    const own = { channel_id: channel.id, key_id: channelKey?.key_id ?? '', model: held.request.chat.model, handle }
    return withHandle(text, this.#deps.liveHandles.seal(held.caller.record.user_id, own))
  }

  async #refuse(error: AppError): Promise<void> {
    const shown = this.#errorOf(error)
    this.#deps.refusals.note(this.#connected.held.context, error)
    await this.#end({ kind: 'ended', by: 'gateway', code: codeOf(shown.status), error: shown })
  }

  #endBy(error: AppError): void {
    this.#queue.add(() => this.#refuse(error))
  }

  async #end(reason: Reason): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#expiry)
    this.#connected.socket.close()
    const held = this.#held
    this.#held = undefined
    if (held !== undefined) await this.#settle(held, this.#lastOutcome(held, reason), this.#turn)
    if (reason.kind === 'client-disconnected') this.#client.closeWith(CLOSE_CODES.complete)
    else this.#client.closeWith(reason.code, reason.error?.message)
    this.#onOver()
  }

  /** A turn that had begun is charged by what was delivered; without one, the hold is given back. */
  #lastOutcome(held: Held, reason: Reason): ResponseOutcome {
    if (!this.#turn.isRunning) return { client_status: 200, ended_by: 'complete', usage: this.#turn.usage }
    const usage = this.#usageSoFar(held)
    if (reason.kind === 'client-disconnected') return { client_status: 499, ended_by: 'client-disconnected', usage }
    if (reason.error === undefined) return { client_status: 200, ended_by: 'complete', usage }
    const { code, type, message } = reason.error
    const ended_by = reason.by === 'vendor' ? 'upstream-failed' : 'gateway-failed'
    return { client_status: 200, ended_by, error_code: code, error_type: type, error_message: message, usage }
  }

  /** The vendor's reason for its close, without the operator's own affairs. */
  #vendorError(close: { readonly code: number; readonly reason: string }): ClientError {
    const failure = decodeLiveClose({ ...close, reason: this.#mask.text(close.reason) })
    const isOperators = failure.status === 401 || failure.status === 403 || failure.status === 429 || close.reason === ''
    if (isOperators) return this.#errorOf(new AppError(failure.status === 429 ? 'upstream.saturated' : 'upstream.cut'))
    const shown = { status: failure.status ?? 500, type: failure.type ?? '', code: failure.code ?? '', message: failure.message, param: '' }
    return new UpstreamRefusal(shown).error
  }

  async #fail(error: unknown): Promise<void> {
    this.#deps.log.error({ request_id: this.#connected.held.context.id, err: error }, 'Live session failed')
    await this.#end({ kind: 'ended', by: 'gateway', code: CLOSE_CODES.cut, error: this.#errorOf(error) })
  }

  #errorOf(error: unknown): ClientError {
    return toClientError(error, this.#connected.held.context)
  }
}
