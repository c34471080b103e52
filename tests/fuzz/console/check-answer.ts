import type { Access, Endpoint } from '@tollgate/contracts/endpoint'
import { errors } from '@tollgate/contracts/errors'
import type { ErrorRow } from '@tollgate/contracts/errors/row'
import { codeOfMessage } from '../error-codes.ts'
import type { RawAnswer } from '../raw-call.ts'
import type { Secrets } from '../secrets.ts'
import type { Actor } from './actors.ts'
import type { ConsoleCase } from './cases.ts'
import { endpointOf } from './encode-case.ts'

const MIN_ROLE: Readonly<Record<Access, number>> = { public: 0, optional: 0, session: 1, key: 1, user: 1, admin: 10, root: 100 }

export type Observed = { readonly one: ConsoleCase; readonly actor: Actor; readonly answer: RawAnswer; readonly secrets: Secrets }

/** The faults of an answer of the control plane. */
export function checkConsoleAnswer({ one, actor, answer, secrets }: Observed): string[] {
  const endpoint = endpointOf(one)
  const name = `${endpoint.method} ${endpoint.path}`
  const text = answer.body.toString()
  const found: string[] = []
  const leaked = secrets.find(text, actor.key)
  if (leaked !== undefined) found.push(`${name}: the answer to ${actor.name} contains a secret: ${leaked}`)
  if (answer.status === 0) return one.sending === 'cut' || isParserCase(one) ? found : [...found, `${name}: no answer (${answer.ending})`]
  if (answer.ending === 'timeout') return [...found, `${name}: no end of the answer in time`]
  if (answer.status >= 500 && !isUpstreamFault(text)) found.push(`${name}: status ${answer.status}: ${text.slice(0, 200)}`)
  if (answer.headers.has('access-control-allow-origin')) found.push(`${name}: a CORS header`)
  const isPlain = one.method === '' && (one.spelling === 'right' || one.spelling === 'slash' || one.spelling === 'no-slash')
  // 421 for a name that is not served is a page for people, outside /api.
  if (!isPlain || isParserCase(one) || (answer.status === 421 && !endpoint.path.startsWith('/api/'))) return found
  return [...found, ...checkBody(endpoint, { actor, text, name, one })]
}

/** Node's parser answers a head that it cannot read. */
function isParserCase({ headers, params }: ConsoleCase): boolean {
  return (
    headers.some(([name]) => name === 'Expect' || name === 'Content-Encoding') ||
    params.some((text) => text.includes('..') || text === '' || text.includes('%'))
  )
}

/** A server error of the table that names the fault of a vendor, not ours. */
function isUpstreamFault(text: string): boolean {
  const body = parse(text)
  const message: unknown = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined
  const code = typeof message === 'string' ? codeOfMessage(message) : undefined
  const row: ErrorRow | undefined = Object.entries(errors).find(([name]) => name === code)?.[1]
  return row?.blame === 'upstream'
}

type Judged = { readonly actor: Actor; readonly text: string; readonly name: string; readonly one: ConsoleCase }

/** A report that can be a page, and answers in the words of payment providers. */
const OTHER_SHAPES: ReadonlySet<string> = new Set(['/api/import/{id}/report', '/api/user/epay/notify', '/api/stripe/webhook'])

function checkBody(endpoint: Endpoint, { actor, text, name, one }: Judged): string[] {
  // Files.
  if (endpoint.path.endsWith('/export') || OTHER_SHAPES.has(endpoint.path)) return []
  const body = parse(text)
  if (typeof body !== 'object' || body === null)
    return text === '' && one.headers.length > 0 ? [] : [`${name}: the answer is not JSON: ${text.slice(0, 120)}`]
  const { success, message, data, error } = body as Record<string, unknown> // an object, as checked
  if (error !== undefined) return []
  if (endpoint.answer !== undefined && success !== false) return mismatch(name, endpoint.answer.safeParse(body))
  if (typeof success !== 'boolean' || typeof message !== 'string') return [`${name}: not an envelope: ${text.slice(0, 120)}`]
  if (!success) return []
  const found = actor.role < MIN_ROLE[endpoint.access] ? [`${name}: served for ${actor.name}`] : []
  return endpoint.data === undefined ? found : [...found, ...mismatch(name, endpoint.data.safeParse(data))]
}

type Parsed = {
  readonly success: boolean
  readonly error?: { readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] } | undefined
}

function mismatch(name: string, parsed: Parsed): string[] {
  const [issue] = parsed.error?.issues ?? []
  return parsed.success || issue === undefined
    ? []
    : [`${name}: the answer is not of its declared shape: ${issue.path.map(String).join('.')}: ${issue.message}`]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The caller reports a text that is not JSON.
    return undefined
  }
}
