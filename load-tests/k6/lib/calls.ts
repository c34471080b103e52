import { check, sleep } from 'k6'
import exec from 'k6/execution'
import http from 'k6/http'
import type { Kind } from '../../scenarios/courses.ts'
import { headersOf, type Session } from './console.ts'
import type { Prepared } from './deployment.ts'
import { FORMATS, type FormatName } from './formats.ts'
import { settings } from './settings.ts'
import { noAnswer, paidAnswers, serverErrors, streamDuration, unasked, unlogged } from './tally.ts'
import { UNUSUAL, UNUSUAL_NAMES, type Unusual } from './tokens.ts'

/**
 * k6's own client reads a response as a whole (https://github.com/grafana/k6/issues/4086): the first byte of a stream is
 * `http_req_waiting`, its end `stream_duration`. Single events are measured by the bench.
 */
const PROSE = 'Explain in two sentences why a gateway counts what it forwards. '
/** Sizes of prompts as they come: most are short, a few are long. */
const LENGTHS = [200, 400, 800, 800, 1600, 4000, 16_000]
/** Formats as clients use them. */
const CLIENTS: readonly FormatName[] = ['openai', 'openai', 'openai', 'anthropic', 'anthropic', 'gemini']
const UNKNOWN_KEY = `sk-${'x'.repeat(48)}`

type Turn = (prepared: Prepared) => void
const REFUSALS: readonly Turn[] = [
  ...UNUSUAL_NAMES.map(
    (name): Turn =>
      ({ unusual, models }) =>
        askUnusual(name, unusual[name], pick(models.whole)),
  ),
  ({ models }) => askUnknown(pick(models.whole)),
]
/** What a user does: mostly streams, as applications ask, sometimes a whole answer, the list of models, or what is refused. */
const TURNS: readonly (readonly [number, Turn])[] = [
  [0.55, askStream],
  [0.9, askWhole],
  [0.94, listModels],
  [1, (prepared) => pick(REFUSALS)(prepared)],
]
/** A course begins with everything once, so that the shortest has seen it. */
const ROUND: readonly Turn[] = [askStream, askWhole, listModels, ...REFUSALS]

export function oneTurn(prepared: Prepared): void {
  const dice = Math.random()
  const chosen = TURNS.find(([below]) => dice < below)?.[1] ?? askStream
  const turn = ROUND[exec.scenario.iterationInTest] ?? chosen
  turn(prepared)
  sleep(Math.random())
}

type Ask = {
  readonly kind: Kind
  readonly format: FormatName
  readonly model: string
  readonly key: string
  readonly isStream?: boolean
  readonly expected: readonly number[]
}

function ask({ kind, format, model, key, isStream = false, expected }: Ask) {
  const { path, headers, body } = FORMATS[format]
  const length = pick(LENGTHS)
  const prompt = PROSE.repeat(Math.ceil(length / PROSE.length)).slice(0, length)
  const answer = http.post(settings.url + path(model, isStream), JSON.stringify(body(model, prompt, isStream)), {
    headers: { 'Content-Type': 'application/json', ...headers(key) },
    tags: { kind, format, name: `${format} ${kind}` },
    responseCallback: http.expectedStatuses(...expected),
  })
  count(answer.status)
  if (!expected.includes(answer.status))
    tellFirst(`${format} ${kind}: ${answer.status} ${answer.error} ${String(answer.body).slice(0, 300)}`)
  return answer
}

/** What must be in the log after the course. A connection that broke, or a 5xx, may or may not have been charged. */
function count(status: number): void {
  if (status === 200) {
    paidAnswers.add(1)
    unlogged.add(1)
  }
  if (status === 0) noAnswer.add(1)
  if (status >= 500) serverErrors.add(1)
  if (status === 200 || status === 0 || status >= 500) unasked.add(-1)
}

let hasTold = false

/** The first unexpected answer of each user is printed: enough to know what it was. */
function tellFirst(what: string): void {
  if (!hasTold) console.warn(what)
  hasTold = true
}

/** A whole answer: it must have a text and a usage. */
function askWhole({ keys, models }: Prepared): void {
  const format = pick(CLIENTS)
  const answer = ask({ kind: 'whole', format, model: pick(models.whole), key: pick(keys), expected: [200] })
  const { text, usage } = FORMATS[format]
  check(
    answer,
    {
      'whole: status 200': ({ status }) => status === 200,
      'whole: has a text': (got) => got.status === 200 && typeof got.json(text) === 'string',
      'whole: has a usage': (got) => got.status === 200 && Number(got.json(usage)) > 0,
    },
    { kind: 'whole' },
  )
}

/** A stream: it must end as its format says, with its usage. */
function askStream({ keys, models }: Prepared): void {
  const format = pick(CLIENTS)
  const answer = ask({ kind: 'stream', format, model: pick(models.stream), key: pick(keys), isStream: true, expected: [200] })
  streamDuration.add(answer.timings.duration)
  const events = String(answer.body)
  check(
    answer,
    {
      'stream: status 200': ({ status }) => status === 200,
      'stream: comes to its end': () => events.includes(FORMATS[format].end),
      'stream: tells the usage': () => events.includes(FORMATS[format].usageEvent),
    },
    { kind: 'stream' },
  )
}

/** A token that cannot pay, may not, or hurries: refused with its own status, and an answer that it gets is one it pays for. */
function askUnusual(name: Unusual, key: string, model: string): void {
  const statuses: readonly number[] = UNUSUAL[name].statuses
  const answer = ask({ kind: 'refused', format: pick(CLIENTS), model, key, expected: statuses })
  check(answer, { [`${name}: status ${statuses.join(' or ')}`]: ({ status }) => statuses.includes(status) }, { kind: 'refused' })
}

function askUnknown(model: string): void {
  const answer = ask({ kind: 'refused', format: pick(CLIENTS), model, key: UNKNOWN_KEY, expected: [401] })
  check(answer, { 'unknown key: status 401': ({ status }) => status === 401 }, { kind: 'refused' })
}

function listModels({ keys, models }: Prepared): void {
  const answer = http.get(`${settings.url}/v1/models`, {
    headers: { Authorization: `Bearer ${pick(keys)}` },
    tags: { kind: 'models', name: '/v1/models' },
  })
  const offersAll = () => [...models.whole, ...models.stream].every((model) => String(answer.body).includes(`"${model}"`))
  check(answer, { 'models: status 200': ({ status }) => status === 200, 'models: offers what is asked': offersAll }, { kind: 'models' })
}

const PAGES = [
  '/api/user/self',
  '/api/token/?p=0&size=10',
  '/api/log/self?p=1&page_size=10',
  '/api/log/self?p=3&page_size=50&type=2',
  '/api/log/self/stat?type=2',
  '/api/user/models',
  '/api/pricing',
] as const

/** What somebody who looks at the console asks for. */
export function lookAtConsole(session: Session): void {
  const page = pick(PAGES)
  const answer = http.get(settings.url + page, { headers: headersOf(session), tags: { kind: 'console', name: page.split('?')[0] ?? page } })
  check(
    answer,
    { 'console: succeeds': ({ status, body }) => status === 200 && String(body).includes('"success":true') },
    { kind: 'console' },
  )
}

function pick<T>(list: readonly T[]): T {
  const found = list[Math.floor(Math.random() * list.length)]
  if (found === undefined) throw new Error('nothing to choose from')
  return found
}
