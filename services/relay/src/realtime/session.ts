import { AppError } from '@tollgate/contracts/app-error'
import type { Usage } from '@tollgate/contracts/pricing/quote'
import { findSensitive } from '@tollgate/domain/access/sensitive'
import { plausibleUsage } from '@tollgate/domain/pricing/plausible'
import { toRawUsage } from '@tollgate/providers/chat/answer-facts'
import { isObject } from '@tollgate/providers/json'
import { redactKey } from '@tollgate/domain/secrets/redact-key'
import {
  readClientEvent,
  readServerEvent,
  realtimeRequest,
  type ClientEvent,
  type ServerEvent,
} from '@tollgate/providers/operations/realtime'
import { realtimeEndEvents } from '@tollgate/providers/operations/session-answers'
import type { SocketReader, UpstreamSocket } from '@tollgate/upstream/socket'
import { toClientError, type ClientError } from '../request/client-error.ts'
import type { RelayDeps } from '../deps.ts'
import type { Delivered, Held } from '../request/phases.ts'
import { quoteModel } from '../usage/quote-model.ts'
import { requireModel } from '../identity/require-model.ts'
import { settleRequest } from '../pipeline/finish.ts'
import { toHeartbeatProgress } from '../request/heartbeat-progress.ts'
import type { ResponseOutcome } from '../request/response-outcome.ts'
import { KeyMask } from '../channels/key-mask.ts'
import type { ClientSocket } from './client-socket.ts'
import { CLOSE_CODES, forwardedCode } from './close-codes.ts'
import type { Connected } from './connect.ts'
import { InputEstimate } from './input-estimate.ts'
import { failedEnd, failedResponse, isPassing, LimitedResponses } from './limited-responses.ts'
import { holdNext, toDelivered } from './next-hold.ts'
import { RunningResponse } from './running-response.ts'
import { startSessionRecording, type SessionRecording } from './session-recording.ts'
import { sumUsage } from './sum-usage.ts'
import { Transcription } from './transcription.ts'
import { TaskQueue } from './task-queue.ts'

/** How long a vendor may take to report the usage of a cancelled response. */
const CANCEL_MS = 1500

type Reason =
  | { readonly kind: 'client-disconnected' }
  | { readonly kind: 'upstream-disconnected'; readonly error: ClientError | undefined; readonly code: number | undefined }
  /** The relay ends the session: no quota, no permission, or shutdown. */
  | { readonly kind: 'refused'; readonly error: ClientError; readonly code: number }

type Done = Extract<ServerEvent, { kind: 'done' }>
type Asked = Extract<ClientEvent, { kind: 'ok' }>
/** 'ended': refused, and the session with it. An error: a limit that passes. */
type Holding = 'held' | 'ended' | ClientError

/**
 * One session, which forwards the events of both sides unchanged. A hold is open before any event of the client is forwarded; every
 * response of the vendor uses one and settles it with its own usage, as a separate request (ADR 16). Events of both sides are handled
 * in sequence, so that none is forwarded while a hold is being taken.
 */
export class RealtimeSession implements SocketReader {
  readonly #connected: Connected
  readonly #client: ClientSocket
  readonly #upstream: UpstreamSocket
  readonly #deps: RelayDeps
  readonly #onOver: () => void
  readonly #mask: KeyMask
  readonly #recording: SessionRecording | undefined
  readonly #queue = new TaskQueue((error) => this.#fail(error))
  readonly #holds: Held[] = []
  readonly #responses = new Map<string, RunningResponse>()
  readonly #limited = new LimitedResponses()
  readonly #transcription = new Transcription()
  /** A transcription that no hold could be taken for; the next response pays it. */
  #owed: Usage | undefined
  readonly #input = new InputEstimate()
  #bytes_per_second = 48_000
  #input_bytes_per_second = 48_000
  #reason: Reason | undefined
  #isOver = false
  #isGreeted: boolean
  #timer: NodeJS.Timeout | undefined

  constructor(connected: Connected, { client, deps, onOver }: { client: ClientSocket; deps: RelayDeps; onOver: () => void }) {
    this.#connected = connected
    this.#upstream = connected.socket
    this.#client = client
    this.#deps = deps
    this.#onOver = onOver
    this.#isGreeted = connected.is_greeted === true
    this.#mask = new KeyMask(connected.held.progress.calls.vendorKey)
    this.#recording = startSessionRecording(connected.held, deps)
    this.#addHold(connected.held)
    for (const event of connected.first) this.#queue.add(() => this.#fromClient(event))
    client.readWith({
      onText: (text) => this.#queue.add(() => this.#fromClient(text)),
      onClose: () => this.#queue.add(() => this.#end({ kind: 'client-disconnected' })),
    })
    connected.socket.readWith(this)
  }

  onMessage(text: string): void {
    this.#queue.add(() => this.#fromVendor(text))
  }

  onClose({ code, error }: Parameters<SocketReader['onClose']>[0]): void {
    const isPlain = error === undefined && (code === 1000 || code === 1001 || code === 1005)
    const reported = isPlain ? undefined : this.#errorOf(new AppError('upstream.cut'))
    const sent = error === undefined ? forwardedCode(code) : CLOSE_CODES.cut
    this.#queue.add(() => this.#end({ kind: 'upstream-disconnected', error: reported, code: sent }))
  }

  /** Ends the session because this process shuts down. */
  stop(): void {
    this.#queue.add(() =>
      this.#end({ kind: 'refused', error: this.#errorOf(new AppError('gateway.stopping')), code: CLOSE_CODES.stopping }),
    )
  }

  async #fromClient(text: string): Promise<void> {
    if (this.#reason !== undefined) return
    const { request, progress } = this.#connected.held
    const event = readClientEvent(text, { model: request.chat.model, upstream_model: progress.calls.upstream_model })
    if (event.kind === 'unreadable')
      return this.#client.sendError(
        this.#errorOf(new AppError('request.invalid', { detail: 'the event is no JSON object with unique keys' })),
      )
    const { sensitive } = this.#deps.config.settings
    if (sensitive !== undefined && event.texts.some((part) => findSensitive(sensitive, part) !== undefined))
      return this.#client.sendError(this.#errorOf(new AppError('content.sensitive')))
    const refusal = this.#refusalOf(event.models)
    if (refusal !== undefined) return this.#client.sendError(this.#errorOf(refusal))
    if (this.#holds.length === 0 && !(await this.#holdFor(event))) return
    this.#transcription.hear(event.audio_bytes)
    this.#recording?.hear(event.texts)
    this.#input.add(event)
    this.#upstream.send(event.text, () => this.#client.throttle(this.#upstream.buffered))
    this.#client.throttle(this.#upstream.buffered)
  }

  /**
   * Takes the hold that an event needs. False: the event is not forwarded. While a limit refuses holds, other events than those that ask for
   * a response pass, because the vendor may need them later; a response that it begins by itself is cancelled.
   */
  async #holdFor({ response }: Asked): Promise<boolean> {
    if (response === undefined && this.#limited.isPaused(this.#deps.now())) return true
    const holding = await this.#holdNext()
    if (typeof holding === 'string') return holding === 'held'
    this.#limited.pause(this.#deps.now())
    if (response === undefined) return true
    for (const event of failedResponse(holding, response)) this.#client.sendEvent(event)
    return false
  }

  /** Why the caller may not use a model that the session names beside its own; undefined: it may use them all. */
  #refusalOf(models: readonly string[]): AppError | undefined {
    const { record } = this.#connected.held.caller
    const { group } = this.#connected.held.progress.calls.group
    for (const model of models) {
      try {
        requireModel(record, model)
      } catch (error) {
        if (error instanceof AppError) return error
        throw error
      }
      if (quoteModel(model, { record, group }, this.#deps.config) === 'unpriced') return new AppError('model.unpriced', { model })
    }
    return undefined
  }

  async #fromVendor(text: string): Promise<void> {
    // Events still arrive until the vendor answers the close; a hold taken for them would stay open.
    if (this.#isOver) return
    const event = readServerEvent(text)
    if (this.#recording !== undefined) this.#record(this.#recording, event, text)
    if (event.kind === 'session') {
      this.#bytes_per_second = event.bytes_per_second
      this.#input_bytes_per_second = event.input_bytes_per_second
      this.#transcription.configure(event)
    }
    if (event.kind === 'committed') this.#transcription.begin(event.item_id)
    if (event.kind === 'transcribed') await this.#settleTranscription(event)
    if (event.kind === 'delta') this.#responses.get(event.response_id)?.add(event, this.#holds[0]?.context.clock.elapsed() ?? 0)
    if (event.kind === 'created') {
      this.#responses.set(event.response_id, new RunningResponse())
      const holding = this.#responses.size > this.#holds.length ? await this.#holdNext() : 'held'
      if (holding === 'ended') return
      if (holding !== 'held') return await this.#cancel(event.response_id, text, holding)
    }
    const isHidden = this.#isGreeting(event) || this.#limited.hides(text) || (event.kind === 'done' && this.#limited.has(event.response_id))
    if (event.kind === 'done') await this.#settleResponse(event)
    if (this.#reason !== undefined) return this.#responses.size === 0 ? await this.#finish() : undefined
    if (!isHidden) this.#client.forward(this.#mask.text(text), this.#upstream)
  }

  #record(recording: SessionRecording, event: ServerEvent, text: string): void {
    if (event.kind === 'transcribed') recording.hear([event.text])
    if (event.kind === 'delta' && event.text !== '')
      recording.answer(event.response_id, [{ kind: 'text', text: this.#mask.text(event.text) }])
    if (event.kind === 'done') recording.answer(event.response_id, realtimeEndEvents(this.#mask.text(text)))
  }

  /** True if the vendor greets a client that was greeted before the vendor was known. */
  #isGreeting(event: ServerEvent): boolean {
    if (event.kind !== 'session' || !event.is_new || !this.#isGreeted) return false
    this.#isGreeted = false
    return true
  }

  /** Cancels a response that the vendor began by itself beyond a limit. What it used until then is charged. */
  async #cancel(response_id: string, created: string, error: ClientError): Promise<void> {
    if ((await this.#holdNext({ is_owed: true })) !== 'held') return
    this.#limited.add(response_id, error)
    this.#upstream.send(JSON.stringify({ type: 'response.cancel', response_id }))
    this.#client.forward(this.#mask.text(created), this.#upstream)
    this.#client.sendEvent(failedEnd(response_id, error))
  }

  /** A transcription is a request of its own. It uses the free hold if there is one. */
  async #settleTranscription({ item_id, has_failed, raw, ...reported }: Extract<ServerEvent, { kind: 'transcribed' }>): Promise<void> {
    if (has_failed && reported.usage === undefined) return this.#transcription.fail(item_id)
    const believed = { ...reported, usage: plausibleUsage(reported.usage) }
    await this.#chargeTranscription(this.#transcription.end(item_id, believed), isObject(raw) ? toRawUsage(raw) : undefined)
  }

  async #chargeTranscription(usage: Usage, raw_usage?: string): Promise<void> {
    const hasFree = this.#holds.length > this.#responses.size
    if (!hasFree && (this.#reason !== undefined || (await this.#holdNext({ is_owed: true })) !== 'held')) {
      this.#owed = this.#owed === undefined ? usage : sumUsage(this.#owed, usage)
      return
    }
    const held = this.#holds.pop()
    if (held === undefined) return
    const delivered = toDelivered(held, { ...this.#endingOf(), usage }, this.#masked(raw_usage))
    await settleRequest(this.#transcription.price(delivered, this.#deps.config), this.#deps)
  }

  async #settleResponse(done: Done): Promise<void> {
    const response = this.#responses.get(done.response_id) ?? new RunningResponse()
    this.#responses.delete(done.response_id)
    if (this.#holds.length === 0) await this.#holdNext({ is_owed: true })
    const held = this.#holds.shift()
    if (held === undefined)
      return this.#deps.log.warn({ request_id: this.#connected.held.context.id }, 'Realtime response has no hold and was not charged')
    const reported = plausibleUsage(done.usage)
    // A vendor that says that a failed response used nothing charges nothing for it.
    const isFree = done.failure !== undefined && isObject(done.raw)
    const own = reported ?? (response.hasContent && !isFree ? this.#estimate(response, held) : undefined)
    const usage = this.#withOwed(own)
    if (own !== undefined) this.#input.answered(own.prompt_tokens + own.completion_tokens)
    const limited = this.#limited.take(done.response_id)
    const ending = this.#endingOf(limited === undefined ? undefined : { kind: 'refused', error: limited, code: CLOSE_CODES.refused })
    const outcome = { ...ending, usage, ...failureOf(done, this.#connected.held.progress.calls.vendorKey) }
    const raw_usage = done.raw === undefined ? undefined : (toRawUsage(done.raw) ?? '')
    const { first_token_ms } = response
    held.progress.recording = this.#recording?.take(done.response_id, held)
    await settleRequest({ ...toDelivered(held, outcome, this.#masked(raw_usage)), first_token_ms }, this.#deps)
    // A second response is running and needs a hold of its own.
    if (this.#reason === undefined && this.#responses.size > this.#holds.length) await this.#holdNext({ is_owed: true })
  }

  /** Opens a request for the next response, with account, group, limits and prices checked again. */
  async #holdNext(options: { readonly is_owed?: true } = {}): Promise<Holding> {
    const { held } = this.#connected
    const chat = realtimeRequest(held.request.chat.model, this.#input.context_tokens)
    const next = await holdNext(held, { ...held.request, chat }, options, this.#deps)
    if (next.kind === 'held') {
      this.#addHold(next.held)
      return 'held'
    }
    if (isPassing(next.cause) && options.is_owed !== true) return next.error
    await this.#end({ kind: 'refused', error: next.error, code: CLOSE_CODES.refused })
    return 'ended'
  }

  #addHold(held: Held): void {
    held.progress.calls.session = this.#connected.held.context.id
    this.#holds.push(held)
    this.#deps.open.open(
      held.context.id,
      () => toHeartbeatProgress(held, this.#usageSoFar(held)),
      () => this.stop(),
    )
  }

  #usageSoFar(held: Held): Usage | undefined {
    const response = [...this.#responses.values()][this.#holds.indexOf(held)]
    return response?.hasContent === true ? this.#estimate(response, held) : undefined
  }

  #estimate(response: RunningResponse, { progress }: Held): Usage {
    const { upstream_model } = progress.calls
    const input = this.#input.tokens(upstream_model, this.#input_bytes_per_second)
    return response.estimate(upstream_model, { ...input, bytes_per_second: this.#bytes_per_second })
  }

  #withOwed(usage: Usage | undefined): Usage | undefined {
    const owed = this.#owed
    this.#owed = undefined
    if (owed === undefined || usage === undefined) return usage ?? owed
    return sumUsage(usage, owed)
  }

  #masked(raw_usage: string | undefined): string | undefined {
    return raw_usage === undefined ? undefined : this.#mask.text(raw_usage)
  }

  #endingOf(reason = this.#reason): Omit<ResponseOutcome, 'usage'> {
    if (reason?.kind === 'client-disconnected') return { client_status: 499, ended_by: 'client-disconnected' }
    if (reason?.error === undefined) return { client_status: 200, ended_by: 'complete' }
    const ended_by = reason.kind === 'refused' ? 'gateway-failed' : 'upstream-failed'
    const { code, type, message } = reason.error
    return { client_status: 200, ended_by, error_code: code, error_type: type, error_message: message }
  }

  /** Cancels running responses and waits for their usage. */
  async #end(reason: Reason): Promise<void> {
    if (this.#reason !== undefined) {
      if (reason.kind === 'upstream-disconnected') await this.#finish()
      return
    }
    this.#reason = reason
    if (reason.kind === 'upstream-disconnected' || this.#responses.size === 0) return await this.#finish()
    for (const response_id of this.#responses.keys()) this.#upstream.send(JSON.stringify({ type: 'response.cancel', response_id }))
    this.#timer = setTimeout(() => this.#queue.add(() => this.#finish()), CANCEL_MS)
  }

  async #finish(): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#upstream.close()
    const abandoned = this.#transcription.abandon()
    if (abandoned !== undefined) await this.#chargeTranscription(abandoned)
    const responses = [...this.#responses]
    for (const [at, held] of this.#holds.splice(0).entries()) {
      const [id, response] = responses[at] ?? []
      if (id !== undefined) held.progress.recording = this.#recording?.take(id, held)
      await settleRequest(this.#rest(held, response), this.#deps)
    }
    const reason = this.#reason
    if (reason === undefined || reason.kind === 'client-disconnected') this.#client.close(CLOSE_CODES.complete, undefined)
    else this.#client.close(reason.code, reason.error)
    this.#onOver()
  }

  /** The end of a request whose response, if it has one, is not finished. */
  #rest(held: Held, response: RunningResponse | undefined): Delivered {
    if (response === undefined)
      return toDelivered(held, { usage: this.#withOwed(undefined), client_status: 200, ended_by: 'complete' }, undefined)
    // A client that disconnects owes the prompt of a response that had begun (ADR 12); after a broken vendor connection it owes what was
    // delivered.
    const isOwed = response.hasContent || this.#reason?.kind === 'client-disconnected'
    const usage = this.#withOwed(isOwed ? this.#estimate(response, held) : undefined)
    const { first_token_ms } = response
    return { ...toDelivered(held, { ...this.#endingOf(), usage }, undefined), first_token_ms }
  }

  async #fail(error: unknown): Promise<void> {
    this.#deps.log.error({ request_id: this.#connected.held.context.id, err: error }, 'Realtime session failed')
    await this.#end({ kind: 'refused', error: this.#errorOf(error), code: CLOSE_CODES.cut })
  }

  #errorOf(error: unknown): ClientError {
    return toClientError(error, this.#connected.held.context)
  }
}

function failureOf({ failure }: Done, key: string): Partial<ResponseOutcome> {
  if (failure === undefined) return {}
  const [error_code, error_type, error_message] = [failure.code, failure.type, failure.message].map((text) => redactKey(text, key))
  return { ended_by: 'upstream-failed', error_code, error_type, error_message }
}
