import type { ClientRequest, IncomingMessage } from 'node:http'
import { expandBody, inputItemsOf } from '@tollgate/providers/chat/formats/openai-responses/state'
import { isObject, listAt, objectAt, parseJsonObject, textAt, type JsonObject } from '@tollgate/providers/json'
import { SseDecoder } from '@tollgate/providers/sse/decoder'
import type WebSocket from 'ws'
import type { InnerCalls } from './inner-calls.ts'

type Options = {
  readonly socket: WebSocket
  readonly client: IncomingMessage
  readonly calls: InnerCalls
  readonly onOver: () => void
}

/** A response whose items only this connection remembers. */
type Remembered = { readonly id: string; readonly items: string }

const PATH = '/v1/responses'
/** Characters of the items of one response. */
const MAX_REMEMBERED = 8 * 1024 * 1024
/** Bytes that may be buffered for a slow client before its response is paused. */
const HIGH_WATER = 1024 * 1024
const HEARTBEAT_MS = 30_000
const MAX_WAITING = 2
/** https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1: the service restarts. */
const SERVICE_RESTART = 1012

/**
 * Responses over a WebSocket: each `response.create` is an ordinary streamed call of this client, whose events are messages here. One runs
 * at a time. A response that the client does not want to be kept can be continued on the same connection.
 * https://developers.openai.com/api/docs/guides/websocket-mode
 */
export class ResponseSession {
  readonly #options: Options
  readonly #waiting: string[] = []
  readonly #heartbeat: NodeJS.Timeout
  #call: ClientRequest | undefined
  #last: Remembered | undefined
  #isAlive = true
  #count = 0
  #isFinishing = false

  constructor(options: Options) {
    this.#options = options
    const { socket, onOver } = options
    socket.on('message', (data: Buffer) => this.#read(data.toString()))
    socket.on('pong', () => (this.#isAlive = true))
    // The close event that follows carries everything that is needed.
    socket.on('error', () => undefined)
    this.#heartbeat = setInterval(() => this.#ping(), HEARTBEAT_MS)
    this.#heartbeat.unref()
    socket.once('close', () => {
      clearInterval(this.#heartbeat)
      this.#call?.destroy()
      onOver()
    })
  }

  /** Closes once no response runs. */
  finish(): void {
    this.#isFinishing = true
    if (this.#call === undefined) this.stop()
  }

  stop(): void {
    this.#options.socket.close(SERVICE_RESTART)
  }

  #ping(): void {
    const { socket } = this.#options
    if (!this.#isAlive) return socket.terminate()
    this.#isAlive = false
    socket.ping()
  }

  #read(text: string): void {
    if (this.#call === undefined) return this.#begin(text)
    this.#waiting.push(text)
    // Later messages of the client wait in the kernel.
    if (this.#waiting.length >= MAX_WAITING) this.#options.socket.pause()
  }

  #begin(text: string): void {
    const event = parseJsonObject(text)
    const type = textAt(event, 'type') ?? ''
    if (event === undefined) return this.#refuse(400, { code: 'invalid_request', message: 'the message is no JSON object' })
    if (type !== 'response.create')
      return this.#refuse(400, {
        code: 'unknown_event',
        message: `${type === '' ? 'a message without type' : type} is not offered by this gateway`,
      })
    const { type: _type, generate, stream_options: _options, ...given } = event
    const body = this.#withRemembered(given, Buffer.from(JSON.stringify({ ...given, stream: true })))
    if (generate === false) return this.#prepare(given, body)
    this.#send(body, given['store'] !== false)
  }

  /** The items that only this connection knows in place of the reference to them. */
  #withRemembered(given: JsonObject, raw: Buffer): Buffer {
    if (this.#last === undefined || textAt(given, 'previous_response_id') !== this.#last.id) return raw
    return expandBody(raw, { history: this.#last.items, items: new Map() }).bytes
  }

  /** A client that connects early sends what it knows, and wants no answer yet: it is remembered, and nothing is called or charged. */
  #prepare(given: JsonObject, body: Buffer): void {
    this.#count += 1
    const id = `resp_prepared_${this.#count}`
    this.#remember(id, inputItemsOf(body) ?? '')
    const response = { id, object: 'response', created_at: 0, model: given['model'], output: [], usage: null, error: null }
    this.#write({ type: 'response.created', sequence_number: 0, response: { ...response, status: 'in_progress' } })
    this.#write({ type: 'response.completed', sequence_number: 1, response: { ...response, status: 'completed' } })
    this.#next()
  }

  #send(body: Buffer, isStored: boolean): void {
    const { calls, client } = this.#options
    const call = calls({ path: PATH, body, client })
    this.#call = call
    call.on('response', (answer) => this.#receive(answer, isStored ? undefined : (inputItemsOf(body) ?? '')))
    call.on('error', () => this.#end(call))
  }

  #receive(answer: IncomingMessage, input: string | undefined): void {
    const { statusCode: status = 0, headers } = answer
    if (status !== 200 || headers['content-type']?.includes('event-stream') !== true) return this.#receiveError(answer, status)
    const decoder = new SseDecoder()
    const call = this.#call
    answer.on('data', (chunk: Buffer) => {
      for (const { data } of decoder.push(chunk)) if (data !== undefined) this.#forward(data, answer, input)
    })
    answer.once('close', () => this.#end(call))
  }

  #forward(data: string, answer: IncomingMessage, input: string | undefined): void {
    const { socket } = this.#options
    socket.send(data, () => {
      if (answer.isPaused() && socket.bufferedAmount <= HIGH_WATER / 2) answer.resume()
    })
    if (socket.bufferedAmount > HIGH_WATER) answer.pause()
    if (input === undefined || !/"response\.(?:completed|incomplete)"/.test(data.slice(0, 200))) return
    const response = objectAt(parseJsonObject(data), 'response')
    const output = listAt(response, 'output').filter(isObject)
    this.#remember(
      textAt(response, 'id') ?? '',
      [input, ...output.map((item) => JSON.stringify(item))].filter((one) => one !== '').join(','),
    )
  }

  #receiveError(answer: IncomingMessage, status: number): void {
    const call = this.#call
    let text = ''
    answer.setEncoding('utf8').on('data', (piece: string) => (text += piece))
    answer.once('close', () => {
      const retry = answer.headers['retry-after']
      this.#refuse(status, objectAt(parseJsonObject(text), 'error'), retry === undefined ? {} : { headers: { 'retry-after': retry } })
      this.#end(call)
    })
  }

  #refuse(status: number, error: JsonObject, rest: JsonObject = {}): void {
    this.#write({ type: 'error', status, error: { type: 'invalid_request_error', param: null, ...error }, ...rest })
    if (this.#call === undefined) this.#next()
  }

  #remember(id: string, items: string): void {
    this.#last = items.length > MAX_REMEMBERED ? undefined : { id, items }
  }

  #end(call: ClientRequest | undefined): void {
    if (this.#call !== call) return
    this.#call = undefined
    this.#next()
  }

  #next(): void {
    if (this.#isFinishing) return this.stop()
    this.#options.socket.resume()
    const text = this.#waiting.shift()
    if (text !== undefined) this.#begin(text)
  }

  #write(event: JsonObject): void {
    this.#options.socket.send(JSON.stringify(event), () => undefined)
  }
}
