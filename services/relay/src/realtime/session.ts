import { AppError } from '@tollgate/contracts/app-error'
import type { Usage } from '@tollgate/contracts/quote'
import { findSensitive } from '@tollgate/domain/access/sensitive'
import { toRawUsage } from '@tollgate/providers/chat/answer-facts'
import { readClientEvent, readServerEvent, realtimeRequest, type ServerEvent } from '@tollgate/providers/operations/realtime'
import type { SocketReader, UpstreamSocket } from '@tollgate/upstream/socket'
import { createRequestId } from '@tollgate/http/request-id'
import { toClientError, type ClientError } from '../errors/client-error.ts'
import type { RelayDeps } from '../deps.ts'
import type { RequestRecord } from '../request/record.ts'
import { hold, toProgress } from '../pipeline/run.ts'
import { settle, type Outcome } from '../pipeline/settle.ts'
import { prepareRefusal } from '../errors/refuse.ts'
import { StepClock } from '../request/step-clock.ts'
import type { ClientSocket } from './client-socket.ts'
import type { Connected } from './connect.ts'
import { RunningResponse } from './running-response.ts'
import { TaskQueue } from './task-queue.ts'

/** How long a vendor may take to say what a response cost that was stopped. */
const CANCEL_MS = 1500

type Reason =
  | { readonly kind: 'client-disconnected' }
  | { readonly kind: 'upstream-disconnected'; readonly error: ClientError | undefined }
  /** We end it: no money, no right, or this process stops. */
  | { readonly kind: 'refused'; readonly error: ClientError }

type Done = Extract<ServerEvent, { kind: 'done' }>

/**
 * One session, both ways, text as it is. Money: before anything of the client goes on, a hold is open; every response of the vendor
 * takes one and settles it with its own usage, as a request of its own (ADR 16). Events of both sides are taken one after the other, so
 * that none passes while money is waited for.
 */
export class RealtimeSession implements SocketReader {
  readonly #connected: Connected
  readonly #client: ClientSocket
  readonly #upstream: UpstreamSocket
  readonly #deps: RelayDeps
  readonly #onOver: () => void
  readonly #queue = new TaskQueue((error) => this.#breakOff(error))
  readonly #holds: RequestRecord[] = []
  readonly #running = new Map<string, RunningResponse>()
  #context = 0
  #bytes_per_second = 48_000
  #reason: Reason | undefined
  #isOver = false
  #timer: NodeJS.Timeout | undefined

  constructor(connected: Connected, { client, deps, onOver }: { client: ClientSocket; deps: RelayDeps; onOver: () => void }) {
    this.#connected = connected
    this.#upstream = connected.socket
    this.#client = client
    this.#deps = deps
    this.#onOver = onOver
    this.#follow(connected.record)
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
    const told = isPlain ? undefined : this.#errorOf(new AppError('upstream.cut'))
    this.#queue.add(() => this.#end({ kind: 'upstream-disconnected', error: told }))
  }

  /** This process must stop. */
  stop(): void {
    this.#queue.add(() => this.#end({ kind: 'refused', error: this.#errorOf(new AppError('gateway.stopping')) }))
  }

  async #fromClient(text: string): Promise<void> {
    if (this.#reason !== undefined) return
    const event = readClientEvent(text, this.#connected.record.upstream_model)
    if (event.kind === 'unreadable')
      return this.#client.tell(this.#errorOf(new AppError('request.invalid', { detail: 'the event is no JSON object' })))
    const { sensitive } = this.#deps.config.settings
    if (sensitive !== undefined && event.texts.some((part) => findSensitive(sensitive, part) !== undefined))
      return this.#client.tell(this.#errorOf(new AppError('content.sensitive')))
    if (this.#holds.length === 0 && !(await this.#holdNext())) return
    this.#upstream.send(event.text, () => this.#client.note(this.#upstream.buffered))
    this.#client.note(this.#upstream.buffered)
  }

  async #fromVendor(text: string): Promise<void> {
    const event = readServerEvent(text)
    if (event.kind === 'session') this.#bytes_per_second = event.bytes_per_second
    if (event.kind === 'delta') this.#running.get(event.response_id)?.add(event, this.#holds[0]?.context.clock.elapsed() ?? 0)
    if (event.kind === 'created') {
      this.#running.set(event.response_id, new RunningResponse())
      if (this.#running.size > this.#holds.length && !(await this.#holdNext())) return
    }
    if (event.kind === 'done') await this.#settleResponse(event)
    if (this.#reason === undefined) this.#client.forward(text, this.#upstream)
    else if (this.#running.size === 0) await this.#finish()
  }

  async #settleResponse(done: Done): Promise<void> {
    const response = this.#running.get(done.response_id) ?? new RunningResponse()
    this.#running.delete(done.response_id)
    if (this.#holds.length === 0) await this.#holdNext()
    const record = this.#holds.shift()
    if (record === undefined)
      return this.#deps.log.error({ request_id: this.#connected.record.context.id }, 'a response could not be charged')
    const usage = done.usage ?? (response.hasContent ? this.#estimate(response, record) : undefined)
    if (done.usage !== undefined) this.#context = done.usage.prompt_tokens + done.usage.completion_tokens
    record.raw_usage = done.raw === undefined ? undefined : toRawUsage(done.raw)
    record.first_token_ms = response.first_token_ms
    await this.#settle(record, { ...this.#endingOf(), usage, ...failureOf(done) })
    // Another one runs beside it: it must not be without money.
    if (this.#reason === undefined && this.#running.size > this.#holds.length) await this.#holdNext()
  }

  /** As a request of its own: account, group, limits and prices are looked at anew. False: it is refused, and the session ends. */
  async #holdNext(): Promise<boolean> {
    const { caller, request, record: first } = this.#connected
    const nowMs = this.#deps.now()
    const context = { ...first.context, id: createRequestId(nowMs), clock: new StepClock(nowMs) }
    try {
      const { record } = await hold(
        context,
        { caller, request: { ...request, chat: realtimeRequest(first.model, this.#context) } },
        this.#deps,
      )
      record.channel = first.channel
      record.upstream_model = first.upstream_model
      const attempt = first.attempts.at(-1)
      if (attempt !== undefined) record.attempts.push({ ...attempt, started_ms: 0, ended_ms: 0 })
      this.#follow(record)
      return true
    } catch (error) {
      await this.#end({ kind: 'refused', error: prepareRefusal(context, error, this.#deps.log).error })
      return false
    }
  }

  #follow(record: RequestRecord): void {
    this.#holds.push(record)
    this.#deps.open.open(
      record.context.id,
      () => toProgress(record, undefined, this.#usageSoFar(record)),
      () => this.stop(),
    )
  }

  #usageSoFar(record: RequestRecord): Usage | undefined {
    const response = [...this.#running.values()][this.#holds.indexOf(record)]
    return response?.hasContent === true ? this.#estimate(response, record) : undefined
  }

  #estimate(response: RunningResponse, { upstream_model, costEstimate }: RequestRecord): Usage {
    return response.estimate(upstream_model, { prompt_tokens: costEstimate.prompt_tokens, bytes_per_second: this.#bytes_per_second })
  }

  async #settle(record: RequestRecord, outcome: Outcome): Promise<void> {
    await settle(record, outcome, this.#deps)
    this.#deps.observer.finished(record, outcome)
  }

  #endingOf(): Pick<Outcome, 'client_status' | 'ended_by' | 'error_code' | 'error_message'> {
    const reason = this.#reason
    if (reason?.kind === 'client-disconnected') return { client_status: 499, ended_by: 'client-disconnected' }
    if (reason?.error === undefined) return { client_status: 200, ended_by: 'complete' }
    const ended_by = reason.kind === 'refused' ? 'gateway-failed' : 'upstream-failed'
    return { client_status: 200, ended_by, error_code: reason.error.code, error_message: reason.error.message }
  }

  /** A response that runs is stopped and waited for: its vendor says what it cost. */
  async #end(reason: Reason): Promise<void> {
    if (this.#reason !== undefined) {
      if (reason.kind === 'upstream-disconnected') await this.#finish()
      return
    }
    this.#reason = reason
    if (reason.kind === 'upstream-disconnected' || this.#running.size === 0) return await this.#finish()
    for (const response_id of this.#running.keys()) this.#upstream.send(JSON.stringify({ type: 'response.cancel', response_id }))
    this.#timer = setTimeout(() => this.#queue.add(() => this.#finish()), CANCEL_MS)
  }

  async #finish(): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#upstream.close()
    const responses = [...this.#running.values()]
    for (const [at, record] of this.#holds.splice(0).entries()) await this.#settleRest(record, responses[at])
    const error = this.#reason?.kind === 'client-disconnected' ? undefined : this.#reason?.error
    this.#client.close(error)
    this.#onOver()
  }

  async #settleRest(record: RequestRecord, response: RunningResponse | undefined): Promise<void> {
    if (response === undefined) return await this.#settle(record, { usage: undefined, client_status: 200, ended_by: 'complete' })
    // Who leaves owes the prompt of what was begun for him (ADR 12); a vendor that breaks off is owed what it delivered.
    const isOwed = response.hasContent || this.#reason?.kind === 'client-disconnected'
    record.first_token_ms = response.first_token_ms
    await this.#settle(record, { ...this.#endingOf(), usage: isOwed ? this.#estimate(response, record) : undefined })
  }

  async #breakOff(error: unknown): Promise<void> {
    this.#deps.log.error({ request_id: this.#connected.record.context.id, err: error }, 'a session failed unexpectedly')
    await this.#end({ kind: 'refused', error: this.#errorOf(error) })
  }

  #errorOf(error: unknown): ClientError {
    return toClientError(error, this.#connected.record.context.id)
  }
}

function failureOf({ failure }: Done): Partial<Outcome> {
  return failure === undefined ? {} : { ended_by: 'upstream-failed', error_code: failure.code, error_message: failure.message }
}
