import { Agent, request, type IncomingMessage } from 'node:http'
import { createRandom, type Random } from './random.ts'
import { drawScript, MODELS, PIECE, WORDS_PER_PIECE, type Script } from './script.ts'

/** A token that requests are made with. */
export type Account = {
  readonly user_id: number
  readonly token_id: number
  readonly key: string
  isDeleted: boolean
}

/** One request as its client saw it. */
export type ClientEntry = {
  readonly id: string
  readonly account: Account
  readonly model: string
  readonly script: Script
  readonly is_stream: boolean
  readonly relay: string
  readonly started_at: number
  status: number
  /** The error's code, from the answer or from inside the stream. */
  code: string
  request_id: string
  words: number
  first_word_at: number
  last_word_at: number
  ended_at: number
  /** `complete`: the answer's own end was read. */
  ending: 'open' | 'complete' | 'failed-in-stream' | 'refused' | 'cut-by-us' | 'broken' | 'unreachable'
}

export type Load = {
  readonly journal: readonly ClientEntry[]
  /** Starts no more requests and resolves when the last one has ended. */
  finish(): Promise<void>
}

export type LoadOptions = {
  readonly seed: number
  readonly width: number
  readonly relays: readonly string[]
  readonly accounts: readonly Account[]
  readonly timeoutMs: number
}

/** Keeps `width` clients busy. What each request is follows from the seed and its number. */
export function startLoad(options: LoadOptions): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: 400 })
  const journal: ClientEntry[] = []
  let isOver = false
  const lane = async (): Promise<void> => {
    while (!isOver) {
      const number = journal.length
      const random = createRandom(options.seed * 1_000_003 + number)
      const entry = draw(number, random, options)
      journal.push(entry)
      await ask(entry, { random, agent, timeoutMs: options.timeoutMs })
      if (entry.ending === 'unreachable' || entry.status === 503) await new Promise((resolve) => setTimeout(resolve, 300))
    }
  }
  const lanes = Array.from({ length: options.width }, lane)
  return {
    journal,
    finish: async () => {
      isOver = true
      await Promise.all(lanes)
      agent.destroy()
    },
  }
}

function draw(number: number, random: Random, { seed, relays, accounts }: LoadOptions): ClientEntry {
  const id = `c${seed}-${number}`
  const live = accounts.filter((account) => !account.isDeleted)
  // Now and then somebody still asks with a token that was deleted.
  const account = random.pick(random.chance(0.99) ? live : accounts)
  return {
    id,
    account,
    model: random.chance(0.3) ? MODELS.perCall : MODELS.perToken,
    script: drawScript(id, random),
    is_stream: random.chance(0.65),
    relay: random.pick(relays),
    started_at: Date.now(),
    status: 0,
    code: '',
    request_id: '',
    words: 0,
    first_word_at: 0,
    last_word_at: 0,
    ended_at: 0,
    ending: 'open',
  }
}

type Ask = { readonly random: Random; readonly agent: Agent; readonly timeoutMs: number }

/** Never rejects: whatever happens is written into the entry. */
async function ask(entry: ClientEntry, { random, agent, timeoutMs }: Ask): Promise<void> {
  const cutAt = random.chance(0.12) ? random.int(4000) : undefined
  const cutAfterMs = random.chance(0.04) ? random.int(600) : undefined
  const hasLimit = random.chance(0.5)
  const body = JSON.stringify({
    model: entry.model,
    stream: entry.is_stream,
    ...(entry.is_stream && random.chance(0.5) ? { stream_options: { include_usage: true } } : {}),
    ...(hasLimit ? { max_tokens: entry.script.pieces * WORDS_PER_PIECE + 4 } : {}),
    user: JSON.stringify(entry.script),
    messages: [{ role: 'user', content: 'What is the time of this day, and why is it so?' }],
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  const headers = {
    authorization: `Bearer sk-${entry.account.key}`,
    'content-type': 'application/json',
    'user-agent': `chaos/${entry.id}`,
    'content-length': Buffer.byteLength(body),
  }
  const call = request(`${entry.relay}/v1/chat/completions`, { method: 'POST', agent, headers })
  const end = (ending: ClientEntry['ending']): void => {
    if (entry.ending === 'open') entry.ending = ending
    entry.ended_at ||= Date.now()
    clearTimeout(patience)
    clearTimeout(cutter)
    resolve()
  }
  const cut = (): void => {
    end('cut-by-us')
    call.destroy()
  }
  const patience = setTimeout(cut, timeoutMs)
  const cutter = cutAfterMs === undefined ? undefined : setTimeout(cut, cutAfterMs)
  call.on('error', (error) => end('code' in error && error.code === 'ECONNREFUSED' ? 'unreachable' : 'broken'))
  call.on('response', (answer) => listen(entry, answer, { cutAt, cut, end }))
  call.end(body)
  await promise
}

type Ears = { readonly cutAt: number | undefined; readonly cut: () => void; readonly end: (ending: ClientEntry['ending']) => void }

function listen(entry: ClientEntry, answer: IncomingMessage, { cutAt, cut, end }: Ears): void {
  entry.status = answer.statusCode ?? 0
  entry.request_id = String(answer.headers['x-oneapi-request-id'] ?? '')
  const isStream = String(answer.headers['content-type']).includes('event-stream')
  let text = ''
  let size = 0
  const isAtEnd = (): boolean => isStream && /(^|\n)data: \[DONE\]\n\n/.test(text)
  answer.on('data', (chunk: Buffer) => {
    size += chunk.length
    text += chunk.toString()
    hear(entry, text)
    // The end marker was read: whatever the socket does now, this client has its answer.
    if (isAtEnd()) entry.ending = text.includes('"error"') ? 'failed-in-stream' : 'complete'
    if (cutAt !== undefined && size >= cutAt) cut()
  })
  answer.on('error', () => end('broken'))
  answer.on('close', () => end('broken'))
  answer.on('end', () => {
    entry.code = /"code":\s*"([^"]*)"/.exec(text)?.[1] ?? ''
    if (entry.status !== 200) end('refused')
    else if (text.includes('"error"')) end('failed-in-stream')
    else if (!isStream && answer.complete) end('complete')
    else end('broken')
  })
}

function hear(entry: ClientEntry, text: string): void {
  const words = (text.split(PIECE).length - 1) * WORDS_PER_PIECE
  if (words === entry.words) return
  entry.words = words
  entry.first_word_at ||= Date.now()
  entry.last_word_at = Date.now()
}
