import { BoundedMap } from '@tollgate/contracts/values/bounded-map'
import { KeptView } from '@tollgate/http/kept-view'
import type { DirectListener } from '@tollgate/http/server'
import { makeStatusAnswer, readStatusCall, sendStatus, type StatusAnswer, type StatusCall } from '@tollgate/http/status-answers'
import type { RelayDeps } from '../../deps.ts'

type Deps = Pick<RelayDeps, 'inner' | 'env' | 'now' | 'log'>
type Kept = KeptView<StatusAnswer | undefined>

/** On top of the control plane's own 15 seconds. */
const FRESH_MS = 5000
const TIMEOUT_MS = 5000
const MAX_GROUP = 200
/** Badges of groups, whose names callers choose; the other answers are ten. Twice as many may be kept. */
const MAX_BADGES = 32

/**
 * Answers calls of the public status page from what the control plane answered lately, so that a flood of them costs neither it nor the
 * budgets of console calls anything. Returns false for other calls.
 */
export function createStatusAnswers(deps: Deps): DirectListener {
  if (deps.env.CONSOLE_ORIGIN === '') return () => false
  const whole = new Map<string, Kept>()
  const badges = new BoundedMap<Kept>(MAX_BADGES)
  return (incoming, outgoing) => {
    const call = readStatusCall(incoming)
    if (call === undefined || call.group.length > MAX_GROUP) return false
    const key = `${call.path} ${call.language} ${call.group}`
    const kept = call.group === '' ? whole : badges
    const one = kept.get(key) ?? keep(deps, call)
    kept.set(key, one)
    sendStatus(incoming, outgoing, one.get())
    return true
  }
}

const keep = (deps: Deps, call: StatusCall): Kept =>
  new KeptView({
    read: () => fetchAnswer(deps, call),
    now: deps.now,
    onError: (cause) => deps.log.warn({ err: cause }, 'Status page not read from the control plane'),
    freshMs: FRESH_MS,
  })

/** Headers of the answer that readers need; the rest is about the connection. */
const PASSED = [
  'content-type',
  'cache-control',
  'vary',
  'x-content-type-options',
  'referrer-policy',
  'content-security-policy',
  'access-control-allow-origin',
]

async function fetchAnswer({ inner, env }: Deps, { path, language, group }: StatusCall): Promise<StatusAnswer | undefined> {
  const query = new URLSearchParams({ lang: language, ...(group === '' ? {} : { group }) })
  const url = `${env.CONSOLE_ORIGIN.replace(/\/$/, '')}${path}?${query.toString()}`
  const { status, headers, body } = await inner.request({ url, timeoutMs: TIMEOUT_MS, poolKey: 'status-page' })
  if (status === 404) return undefined
  if (status !== 200) throw new Error(`the control plane answered ${status}`)
  const passed = PASSED.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])] as const]))
  return await makeStatusAnswer({ headers: Object.fromEntries(passed), etag: headers.etag ?? '', body })
}
