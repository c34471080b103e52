import { check, sleep } from 'k6'
import exec from 'k6/execution'
import http from 'k6/http'
import type { Kind } from '../../scenarios/profiles.ts'
import { headersOf, OK_OR_LIMITED, withRateLimitRetry, type Session } from './console.ts'
import type { Prepared } from './deployment.ts'
import { FORMATS, type FormatName } from './formats.ts'
import { settings } from './settings.ts'
import { noAnswer, paidAnswers, serverErrors, streamDuration, rowsWithoutRequest, answersWithoutRow } from './metrics.ts'
import { RESTRICTED, RESTRICTION_NAMES, type Restriction } from './tokens.ts'

/**
 * k6 reads a response as a whole (https://github.com/grafana/k6/issues/4086): `http_req_waiting` is the time to the first byte of a stream,
 * `stream_duration` the time to its end. The bench measures single events.
 */
const PROSE = 'Explain in two sentences why a gateway counts what it forwards. '
/** Prompt lengths in characters: most are short, a few are long. */
const LENGTHS = [200, 400, 800, 800, 1600, 4000, 16_000]
/** Weighted by use. */
const CLIENTS: readonly FormatName[] = ['openai', 'openai', 'openai', 'anthropic', 'anthropic', 'gemini']
const UNKNOWN_KEY = `sk-${'x'.repeat(48)}`

type Action = (prepared: Prepared) => void
const REFUSALS: readonly Action[] = [
  ...RESTRICTION_NAMES.map(
    (name): Action =>
      ({ restricted, models }) =>
        sendRestricted(name, restricted[name], pick(models.whole)),
  ),
  ({ models }) => sendWithUnknownKey(pick(models.whole)),
]
/** Actions with their cumulative probability: mostly streams, then whole responses, the list of models, and refused requests. */
const ACTIONS: readonly (readonly [number, Action])[] = [
  [0.55, sendStream],
  [0.9, sendWhole],
  [0.94, listModels],
  [1, (prepared) => pick(REFUSALS)(prepared)],
]
/** Each run starts with every action once, so that the shortest includes all. */
const FIRST_ACTIONS: readonly Action[] = [sendStream, sendWhole, listModels, ...REFUSALS]

export function runIteration(prepared: Prepared): void {
  const draw = Math.random()
  const chosen = ACTIONS.find(([below]) => draw < below)?.[1] ?? sendStream
  const action = FIRST_ACTIONS[exec.scenario.iterationInTest] ?? chosen
  action(prepared)
  sleep(Math.random())
}

type ChatCall = {
  readonly kind: Kind
  readonly format: FormatName
  readonly model: string
  readonly key: string
  readonly isStream?: boolean
  readonly expected: readonly number[]
}

function sendChat({ kind, format, model, key, isStream = false, expected }: ChatCall) {
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
    warnOnce(`${format} ${kind}: ${answer.status} ${answer.error} ${String(answer.body).slice(0, 300)}`)
  return answer
}

/** Counts the log rows expected after the run. A failed connection or a 5xx may or may not have been charged. */
function count(status: number): void {
  if (status === 200) {
    paidAnswers.add(1)
    answersWithoutRow.add(1)
  }
  if (status === 0) noAnswer.add(1)
  if (status >= 500) serverErrors.add(1)
  if (status === 200 || status === 0 || status >= 500) rowsWithoutRequest.add(-1)
}

let hasWarned = false

/** Prints the first unexpected response of each virtual user. */
function warnOnce(what: string): void {
  if (!hasWarned) console.warn(what)
  hasWarned = true
}

/** Expects text and usage. */
function sendWhole({ keys, models }: Prepared): void {
  const format = pick(CLIENTS)
  const answer = sendChat({ kind: 'whole', format, model: pick(models.whole), key: pick(keys), expected: [200] })
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

/** Expects the format's end event and usage. */
function sendStream({ keys, models }: Prepared): void {
  const format = pick(CLIENTS)
  const answer = sendChat({ kind: 'stream', format, model: pick(models.stream), key: pick(keys), isStream: true, expected: [200] })
  streamDuration.add(answer.timings.duration)
  const events = String(answer.body)
  check(
    answer,
    {
      'stream: status 200': ({ status }) => status === 200,
      'stream: has its end event': () => events.includes(FORMATS[format].end),
      'stream: has a usage': () => events.includes(FORMATS[format].usageEvent),
    },
    { kind: 'stream' },
  )
}

/** Uses a token that cannot pay, may not use the model, is disabled or is rate limited; expects its status. */
function sendRestricted(name: Restriction, key: string, model: string): void {
  const statuses: readonly number[] = RESTRICTED[name].statuses
  const answer = sendChat({ kind: 'refused', format: pick(CLIENTS), model, key, expected: statuses })
  check(answer, { [`${name}: status ${statuses.join(' or ')}`]: ({ status }) => statuses.includes(status) }, { kind: 'refused' })
}

function sendWithUnknownKey(model: string): void {
  const answer = sendChat({ kind: 'refused', format: pick(CLIENTS), model, key: UNKNOWN_KEY, expected: [401] })
  check(answer, { 'unknown key: status 401': ({ status }) => status === 401 }, { kind: 'refused' })
}

function listModels({ keys, models }: Prepared): void {
  const answer = http.get(`${settings.url}/v1/models`, {
    headers: { Authorization: `Bearer ${pick(keys)}` },
    tags: { kind: 'models', name: '/v1/models' },
  })
  const offersAll = () => [...models.whole, ...models.stream].every((model) => String(answer.body).includes(`"${model}"`))
  check(answer, { 'models: status 200': ({ status }) => status === 200, 'models: lists every model': offersAll }, { kind: 'models' })
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

/** Requests one page of the console; waits for its limit per address, which an earlier run may have used up. */
export function readConsolePage(session: Session): void {
  const page = pick(PAGES)
  const params = {
    headers: headersOf(session),
    tags: { kind: 'console', name: page.split('?')[0] ?? page },
    responseCallback: OK_OR_LIMITED,
  }
  const answer = withRateLimitRetry(() => http.get(settings.url + page, params))
  check(
    answer,
    { 'console: succeeds': ({ status, body }) => status === 200 && String(body).includes('"success":true') },
    { kind: 'console' },
  )
}

function pick<T>(list: readonly T[]): T {
  const found = list[Math.floor(Math.random() * list.length)]
  if (found === undefined) throw new Error('empty list')
  return found
}
