import type { RawAnswer } from '../raw-call.ts'
import type { Secrets } from '../secrets.ts'
import type { OutsideCase } from './cases.ts'

/** The ends of the documents that readers of feeds parse. */
const ENDS: Readonly<Record<string, string>> = {
  '/status.rss': '</rss>',
  '/status.atom': '</feed>',
  '/status/badge.svg': '</svg>',
  '/status': '</html>',
}

/** The faults of an answer outside of the endpoint table. */
export function checkOutside(
  one: OutsideCase,
  answer: RawAnswer,
  { secrets, token }: { readonly secrets: Secrets; readonly token: string },
): string[] {
  const text = answer.body.toString()
  const isScim = one.path.startsWith('/scim/')
  const name = `${one.method} ${isScim ? (/^\/scim\/v2\/\.?[A-Za-z]*/.exec(one.path)?.[0] ?? '/scim') : one.path}`
  const leaked = secrets.find(text, token)
  const found = leaked === undefined ? [] : [`${name}: the answer contains a secret: ${leaked}`]
  if (answer.ending === 'timeout') return [...found, `${name}: no end of the answer in time`]
  // Node's parser answers a body that ends early, and a coding that it does not know.
  if (answer.status === 0 || one.headers.some(([header]) => header === 'Content-Encoding')) return found
  if (answer.status >= 500 && !(isScim && answer.status === 501))
    return [...found, `${name}: status ${answer.status}: ${text.slice(0, 200)}`]
  return [...found, ...(isScim ? checkScim(name, answer, text) : checkPage(one, answer, text))]
}

function checkScim(name: string, { status, headers }: RawAnswer, text: string): string[] {
  if (text === '') return status === 204 || status === 304 ? [] : [`${name}: status ${status} without a body`]
  const isScim = headers.get('content-type')?.startsWith('application/scim+json') === true
  const body: unknown = isScim ? JSON.parse(text) : undefined
  const { status: said, schemas } = ((typeof body === 'object' ? body : undefined) as { status?: unknown; schemas?: unknown }) ?? {}
  if (!isScim || !Array.isArray(schemas)) return [`${name}: status ${status} is no answer of SCIM: ${text.slice(0, 120)}`]
  return status >= 400 && said !== String(status) ? [`${name}: status ${status} says ${String(said)}`] : []
}

function checkPage({ method, path }: OutsideCase, { status }: RawAnswer, text: string): string[] {
  const end = ENDS[path]
  return status === 200 && method === 'GET' && end !== undefined && !text.trimEnd().endsWith(end)
    ? [`GET ${path}: it ends with ${text.slice(-60)}`]
    : []
}
