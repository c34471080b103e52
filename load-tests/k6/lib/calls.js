import { check, sleep } from 'k6'
import http from 'k6/http'
import { Rate, Trend } from 'k6/metrics'
import { models, url } from './deployment.js'

/**
 * k6's own client reads a response as a whole (https://github.com/grafana/k6/issues/4086), so a stream's time to the first byte is
 * `timings.waiting`, and that of its last byte `timings.duration`. Single chunks are measured by the bench, not here.
 */
const firstByte = new Trend('stream_first_byte', true)
const streamTime = new Trend('stream_duration', true)
const wholeTime = new Trend('whole_duration', true)
const refusedTime = new Trend('refusal_duration', true)
const consoleTime = new Trend('console_duration', true)
const wrong = new Rate('wrong_answers')

const PROSE = 'Explain in two sentences why a gateway counts what it forwards. '
/** Sizes of prompts as they come: most are short, a few are long. */
const LENGTHS = [200, 400, 800, 800, 1600, 4000, 16_000]

const pick = (list) => list[Math.floor(Math.random() * list.length)]

function ask(key, model, stream, tag) {
  const length = pick(LENGTHS)
  const content = PROSE.repeat(Math.ceil(length / PROSE.length)).slice(0, length)
  const body = {
    model,
    max_tokens: 128,
    messages: [{ role: 'user', content }],
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  }
  return http.post(`${url}/v1/chat/completions`, JSON.stringify(body), {
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer sk-${key}` },
    tags: { call: tag },
    ...(tag === 'refusal' ? { responseCallback: http.expectedStatuses(403) } : {}),
  })
}

/** A whole answer: it must have a text and a usage. */
export function askWhole(keys) {
  const answer = ask(pick(keys), models.whole, false, 'whole')
  wholeTime.add(answer.timings.duration)
  const isGood = check(answer, {
    'whole: status 200': ({ status }) => status === 200,
    'whole: has a text': (got) => got.status === 200 && got.json('choices.0.message.content') !== undefined,
    'whole: has a usage': (got) => got.status === 200 && got.json('usage.total_tokens') > 0,
  })
  wrong.add(!isGood)
}

/** A stream: it must end as the format says, with the usage that was asked for. */
export function askStream(keys) {
  const answer = ask(pick(keys), models.stream, true, 'stream')
  firstByte.add(answer.timings.waiting)
  streamTime.add(answer.timings.duration)
  const text = String(answer.body)
  const isGood = check(answer, {
    'stream: status 200': ({ status }) => status === 200,
    'stream: ends with [DONE]': () => text.trimEnd().endsWith('data: [DONE]'),
    'stream: tells the usage': () => text.includes('"usage":{'),
  })
  wrong.add(!isGood)
}

/** A token that cannot pay is refused, quickly, and never answered. */
export function askInVain(key) {
  const answer = ask(key, models.whole, false, 'refusal')
  refusedTime.add(answer.timings.duration)
  wrong.add(!check(answer, { 'refusal: status 403': ({ status }) => status === 403 }))
}

const PAGES = [
  '/api/user/self',
  '/api/token/?p=0&size=10',
  '/api/log/self?p=1&page_size=10',
  '/api/log/self/stat?type=2',
  '/api/user/models',
]

/** What somebody who looks at the console asks for; slowly, as people click, because the console's API has a limit per address. */
export function lookAtConsole(session) {
  const answer = http.get(url + pick(PAGES), { headers: session, tags: { call: 'console' } })
  consoleTime.add(answer.timings.duration)
  wrong.add(!check(answer, { 'console: succeeds': (got) => got.status === 200 && got.json('success') === true }))
}

/** One turn of a user: mostly streams, as applications ask, sometimes a whole answer, rarely with nothing left to pay. */
export function oneTurn({ keys, emptyKey }) {
  const dice = Math.random()
  if (dice < 0.6) askStream(keys)
  else if (dice < 0.98 || emptyKey === '') askWhole(keys)
  else askInVain(emptyKey)
  sleep(Math.random())
}
