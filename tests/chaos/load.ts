import { setTimeout as wait } from 'node:timers/promises'
import { Pool, type Dispatcher } from 'undici'
import { createReader, formats, FORMAT_NAMES, type Format, type FormatName, type Reader } from './formats.ts'
import type { Random } from './random.ts'
import { idOf, MODELS, randomOf, scriptOf, WORDS_PER_PIECE } from './script.ts'

/** A token that requests are made with. */
export type Account = {
  readonly user_id: number
  readonly token_id: number
  readonly key: string
  /** A small balance, soon spent. Chosen less often, because most of its requests are refused. */
  readonly isPoor: boolean
  /** Uses the group `auto` with `cross_group_retry`. */
  readonly crossesGroups: boolean
  isDeleted: boolean
}

/** One request as its client saw it. */
export type ClientRequest = {
  readonly id: string
  readonly account: Account
  readonly format: FormatName
  readonly model: string
  readonly is_stream: boolean
  readonly relay: string
  readonly started_at: number
  status: number
  code: string
  request_id: string
  words: number
  /** When words were read: [ms after the start, words so far]. Kept only if the response was not read to its end. */
  marks: [number, number][]
  ended_at: number
  /** `complete`: the end marker was read. */
  ending: Ending
}

export type Ending = 'open' | 'complete' | 'failed-in-stream' | 'refused' | 'cut-by-us' | 'broken' | 'unreachable'

export type Load = {
  readonly requests: readonly ClientRequest[]
  /** Requests that were neither answered with 503 nor refused a connection. */
  answered(): number
  /** Starts no more requests and resolves when the last one has finished. */
  finish(): Promise<void>
}

export type LoadOptions = {
  readonly seed: number
  readonly width: number
  readonly relays: readonly { readonly name: string; readonly url: string }[]
  readonly accounts: readonly Account[]
  readonly timeoutMs: { readonly usual: number; readonly long: number }
}

const RETRY_AFTER_REFUSAL_MS = 400

/** Runs `width` clients, distributed evenly over the relays. A request's properties are derived from its number. */
export function startLoad(options: LoadOptions): Load {
  const pools = options.relays.map(({ url }) => new Pool(url, { connections: null, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 }))
  const requests: ClientRequest[] = []
  let isOver = false
  let answered = 0
  const runClient = async (at: number): Promise<void> => {
    const index = at % pools.length
    const pool = pools[index]
    const relay = options.relays[index]
    if (pool === undefined || relay === undefined) return
    while (!isOver) {
      const id = idOf(options.seed, requests.length)
      const random = randomOf(id, 1)
      const entry = draw(id, random, { relay: relay.name, accounts: options.accounts })
      requests.push(entry)
      await sendRequest(entry, { random, pool, timeoutMs: random.chance(0.2) ? options.timeoutMs.long : options.timeoutMs.usual })
      if (entry.ending === 'unreachable' || entry.status === 503) await wait(RETRY_AFTER_REFUSAL_MS)
      else answered += 1
    }
  }
  const clients = Array.from({ length: options.width }, (_, at) => runClient(at))
  return {
    requests,
    answered: () => answered,
    finish: async () => {
      isOver = true
      await Promise.all(clients)
      await Promise.all(pools.map((pool) => pool.destroy()))
    },
  }
}

function draw(id: string, random: Random, { relay, accounts }: { relay: string; accounts: readonly Account[] }): ClientRequest {
  return {
    id,
    account: pickAccount(random, accounts),
    format: random.pick(FORMAT_NAMES),
    model: random.chance(0.3) ? MODELS.perCall : MODELS.perToken,
    is_stream: random.chance(0.65),
    relay,
    started_at: Date.now(),
    status: 0,
    code: '',
    request_id: '',
    words: 0,
    marks: [],
    ended_at: 0,
    ending: 'open',
  }
}

function pickAccount(random: Random, accounts: readonly Account[]): Account {
  const live = accounts.filter((account) => !account.isDeleted)
  const isPoor = random.chance(0.2)
  const wanted = live.filter((account) => account.isPoor === isPoor)
  // A small share of requests uses a deleted token.
  return random.pick(random.chance(0.99) && wanted.length > 0 ? wanted : accounts)
}

/** Never rejects: the outcome is written into the entry. */
async function sendRequest(
  entry: ClientRequest,
  { random, pool, timeoutMs }: { random: Random; pool: Pool; timeoutMs: number },
): Promise<void> {
  const format: Format = formats[entry.format]
  const call = {
    id: entry.id,
    model: entry.model,
    is_stream: entry.is_stream,
    wants_usage: random.chance(0.5),
    max_tokens: random.chance(0.5) ? scriptOf(entry.id).pieces * WORDS_PER_PIECE + 4 : undefined,
  }
  const { promise, resolve } = Promise.withResolvers<void>()
  const handler = new ResponseHandler(entry, {
    cutAt: random.chance(0.1) ? random.int(2500) : undefined,
    cutAfterMs: random.chance(0.03) ? random.int(600) : undefined,
    timeoutMs,
    done: resolve,
  })
  const headers = { ...format.headers(entry.account.key), 'content-type': 'application/json', 'user-agent': `chaos/${entry.id}` }
  pool.dispatch({ path: format.path(call), method: 'POST', headers, body: JSON.stringify(format.body(call)) }, handler)
  await promise
}

type Cuts = {
  /** Bytes of the response after which the client closes its socket. */
  readonly cutAt: number | undefined
  readonly cutAfterMs: number | undefined
  readonly timeoutMs: number
  readonly done: () => void
}

const CUT = new Error('cut by the client')

class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly #entry: ClientRequest
  readonly #cuts: Cuts
  readonly #timers: NodeJS.Timeout[]
  #controller: Dispatcher.DispatchController | undefined
  #reader: Reader | undefined
  #size = 0
  #isCut = false

  constructor(entry: ClientRequest, cuts: Cuts) {
    this.#entry = entry
    this.#cuts = cuts
    this.#timers = [cuts.timeoutMs, cuts.cutAfterMs].flatMap((ms) => (ms === undefined ? [] : [setTimeout(() => this.#cut(), ms)]))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isCut) controller.abort(CUT)
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Record<string, string | string[] | undefined>): void {
    this.#entry.status = status
    this.#entry.request_id = String(headers['x-oneapi-request-id'] ?? '')
    this.#reader = createReader(formats[this.#entry.format], String(headers['content-type']).includes('event-stream'))
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    const entry = this.#entry
    const reader = this.#reader
    if (reader === undefined) return
    this.#size += chunk.length
    reader.read(chunk)
    if (reader.words !== entry.words) entry.marks.push([Date.now() - entry.started_at, reader.words])
    entry.words = reader.words
    entry.code = reader.code
    // After the end marker the response is complete, even if the socket fails.
    if (reader.hasEndMarker) entry.ending = reader.hasError ? 'failed-in-stream' : 'complete'
    if (this.#cuts.cutAt !== undefined && this.#size >= this.#cuts.cutAt) this.#cut()
  }

  onResponseEnd(): void {
    const { status, is_stream } = this.#entry
    if (status !== 200) this.#end('refused')
    else if (this.#reader?.hasError === true) this.#end('failed-in-stream')
    else this.#end(is_stream ? 'broken' : 'complete')
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (error === CUT) this.#end('cut-by-us')
    else this.#end('code' in error && error.code === 'ECONNREFUSED' ? 'unreachable' : 'broken')
  }

  #cut(): void {
    this.#isCut = true
    if (this.#entry.ending === 'open') this.#entry.ending = 'cut-by-us'
    this.#controller?.abort(CUT)
    if (this.#controller === undefined) this.#end('cut-by-us')
  }

  #end(ending: Ending): void {
    const entry = this.#entry
    if (entry.ending === 'open') entry.ending = ending
    entry.ended_at ||= Date.now()
    if (entry.ending === 'complete') entry.marks = []
    for (const timer of this.#timers) clearTimeout(timer)
    this.#cuts.done()
  }
}
