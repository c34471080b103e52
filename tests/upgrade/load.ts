import OpenAI from 'openai'
import { setTimeout as wait } from 'node:timers/promises'
import { chooseOf, type Fleet } from './fleet.ts'
import { callConsole, MODELS, type Session } from './console.ts'
import { WORDS } from './vendor.ts'

const KINDS = ['stream', 'call', 'cold', 'console'] as const
type Kind = (typeof KINDS)[number]
/** `outcome`: answered, or why it was not. */
export type Request = {
  readonly kind: Kind
  readonly startedAt: number
  readonly ms: number
  readonly outcome: string
  readonly model: string
}

export type Load = {
  readonly requests: readonly Request[]
  /** Ends the clients after their last request. */
  stop(): Promise<void>
}

type Target = {
  readonly fleet: Fleet
  readonly keys: readonly string[]
  /** Each is used once: the ledger loads its token and answers then. The load takes them from the list. */
  readonly cold: string[]
  readonly session: Session
  readonly clients: number
}

const MESSAGES = [{ role: 'user' as const, content: 'Say something.' }]
const COLD_PAUSE_MS = 1000
const CONSOLE_PAUSE_MS = 250
const CONSOLE_CALLS = [
  'GET /api/user/self',
  'GET /api/log/?p=1&page_size=20',
  'GET /api/token/?p=1&size=10',
  'GET /api/channel/?p=1&page_size=20',
]

/** Clients that send one request after the other: two of three stream. One more uses a new token each time, and one reads the console. */
export function startLoad({ fleet, keys, cold, session, clients }: Target): Load {
  const requests: Request[] = []
  let isOver = false
  const repeat = async (send: (n: number) => Promise<Request>): Promise<void> => {
    for (let n = 0; !isOver; n += 1) requests.push(await send(n))
  }
  const running = Array.from({ length: clients }, (_, at) =>
    repeat(async (n) => {
      const call = { url: chooseOf(fleet.relays), apiKey: keys[(at + n) % keys.length] ?? '', model: MODELS[n % MODELS.length] ?? '' }
      return await (at % 3 === 0 ? timed('call', call.model, () => askWhole(call)) : timed('stream', call.model, () => askStream(call)))
    }),
  )
  const newcomer = repeat(async () => {
    await wait(COLD_PAUSE_MS)
    const call = { url: chooseOf(fleet.relays), apiKey: cold.shift() ?? keys[0] ?? '', model: MODELS[0] }
    return await timed('cold', call.model, () => askWhole(call))
  })
  const reader = repeat(async (n) => {
    await wait(CONSOLE_PAUSE_MS)
    const call = CONSOLE_CALLS[n % CONSOLE_CALLS.length] ?? ''
    return await timed('console', call, async () => void (await callConsole(chooseOf(fleet.planes), call, { session })))
  })
  return {
    requests,
    stop: async () => {
      isOver = true
      await Promise.all([...running, newcomer, reader])
    },
  }
}

type Call = { readonly url: string; readonly apiKey: string; readonly model: string }

const clientOf = ({ url, apiKey }: Call): OpenAI => new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 })

async function askWhole(call: Call): Promise<void> {
  const { choices } = await clientOf(call).chat.completions.create({ model: call.model, messages: MESSAGES })
  if (choices[0]?.finish_reason !== 'stop') throw new Error('the answer is incomplete')
}

async function askStream(call: Call): Promise<void> {
  const create = { model: call.model, messages: MESSAGES, stream: true, stream_options: { include_usage: true } } as const
  let [words, isComplete, hasUsage] = [0, false, false]
  for await (const { choices, usage } of await clientOf(call).chat.completions.create(create)) {
    if (choices[0]?.delta.content !== undefined && choices[0].delta.content !== '') words += 1
    isComplete ||= choices[0]?.finish_reason === 'stop'
    hasUsage ||= (usage?.completion_tokens ?? 0) > 0
  }
  if (!isComplete || !hasUsage || words !== WORDS) throw new Error(`dropped after ${words} words`)
}

async function timed(kind: Kind, model: string, send: () => Promise<void>): Promise<Request> {
  const startedAt = Date.now()
  const outcome = await send().then(
    () => 'answered',
    (error: unknown) => `${model}: ${reasonOf(error)}`,
  )
  return { kind, startedAt, ms: Date.now() - startedAt, outcome, model }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message} (${reasonOf(error.cause)})`
}

export const isAnswered = ({ outcome }: Request): boolean => outcome === 'answered'

/** Requests to models, which are charged. */
export const isCharged = ({ kind }: Request): boolean => kind !== 'console'

/** Counts and longest times by kind, as text. */
export const summaryOf = (requests: readonly Request[]): string =>
  KINDS.map((kind) => {
    const times = requests.filter((request) => request.kind === kind).map(({ ms }) => ms)
    return `${kind} ${times.length} (${Math.max(0, ...times)} ms)`
  }).join(', ')
