import { gzipSync } from 'node:zlib'
import { endpoints } from '@tollgate/contracts/endpoints'
import type { Endpoint } from '@tollgate/contracts/endpoint'
import { changeTree, encodeChanged } from '../mutations.ts'
import type { RawRequest } from '../raw-call.ts'
import type { Actor } from './actors.ts'
import type { ConsoleCase } from './cases.ts'
import { fieldsOf, usualValues, type Field } from './shapes.ts'

export function endpointOf({ endpoint }: ConsoleCase): Endpoint {
  const found = endpoints[endpoint]
  if (found === undefined) throw new Error(`no endpoint ${endpoint}`)
  return found
}

const shapes = new Map<Endpoint, { readonly body: readonly Field[]; readonly query: readonly Field[] }>()

function shapeOf(endpoint: Endpoint) {
  const known = shapes.get(endpoint)
  if (known !== undefined) return known
  const shape = { body: fieldsOf(endpoint.body), query: fieldsOf(endpoint.query) }
  shapes.set(endpoint, shape)
  return shape
}

/** Options that would refuse every later call of the run, whatever the call. */
const ENDING_OPTIONS = /"key":"(?:ServerAddress|TurnstileCheckEnabled)"/

export function encodeConsoleCase(one: ConsoleCase, actor: Actor): RawRequest | undefined {
  const endpoint = endpointOf(one)
  const body = encodeBody(one, endpoint)
  if (endpoint.path === '/api/option/' && ENDING_OPTIONS.test(body.toString())) return undefined
  const type = typeOf(one)
  const address = `10.${one.address >> 8}.${one.address & 255}.7`
  const has = (name: string): boolean => one.headers.some(([given]) => given === name)
  const headers: (readonly [string, string])[] = [
    ...(has('Host') ? [] : [['Host', '127.0.0.1'] as const]),
    ...(has('X-Forwarded-For') ? [] : [['X-Forwarded-For', address] as const]),
    ...(actor.id === 0 || has('Authorization')
      ? []
      : [['Authorization', `Bearer ${endpoint.access === 'key' ? `sk-${actor.key}` : actor.accessToken}`] as const]),
    ...(actor.id === 0 || has('New-Api-User') ? [] : [['New-Api-User', String(actor.account)] as const]),
    ...(type === '' || body.length === 0 ? [] : [['Content-Type', type] as const]),
    ...one.headers,
  ]
  const method = one.method === '' ? endpoint.method : one.method
  const request = { method, target: targetOf(one, endpoint), headers, body }
  if (one.sending === 'cut') return { ...request, cutAfter: body.length >> 1 }
  if (one.sending === 'chunked') return { ...request, isChunked: true }
  return one.sending === 'gzip' ? { ...request, headers: [...headers, ['Content-Encoding', 'gzip']], body: gzipSync(body) } : request
}

function typeOf({ sending }: ConsoleCase): string {
  if (sending === 'text') return 'text/plain'
  if (sending === 'form') return 'application/x-www-form-urlencoded'
  return sending === 'no-type' ? '' : 'application/json'
}

/** A field is absent for one pick in six. */
function encodeBody(one: ConsoleCase, endpoint: Endpoint): Buffer {
  if (endpoint.body === undefined) return one.changes.length === 0 ? Buffer.alloc(0) : encodeChanged(changeTree({}, one.changes), one.text)
  const entries = shapeOf(endpoint).body.flatMap((field, nth) => {
    const pick = one.picks[nth % one.picks.length] ?? 0
    const values = usualValues(field)
    return pick % 6 === 0 ? [] : [[field.name, values[pick % values.length]] as const]
  })
  return encodeChanged(changeTree(Object.fromEntries(entries), one.changes), one.text)
}

function targetOf(one: ConsoleCase, endpoint: Endpoint): string {
  let nth = 0
  const path = endpoint.path.replaceAll(/\{\w+\}/g, () => one.params[nth++] ?? '1')
  const fields = shapeOf(endpoint).query
  const usual = fields.flatMap((field, at) => {
    const pick = one.picks[(at + 5) % one.picks.length] ?? 0
    const values = usualValues(field)
    return pick % 3 === 0 ? [`${field.name}=${encodeURIComponent(String(values[pick % values.length]))}`] : []
  })
  const odd = one.query.map(
    ([name, value]) =>
      `${name.startsWith('#') ? (fields[Number(name.slice(1)) % Math.max(1, fields.length)]?.name ?? 'p') : name}=${value}`,
  )
  const query = [...usual, ...odd].join('&')
  return `${spell(path, one)}${query === '' ? '' : `?${query}`}`
}

function spell(path: string, { spelling, suffix }: ConsoleCase): string {
  if (spelling === 'slash') return path.endsWith('/') ? path : `${path}/`
  if (spelling === 'no-slash') return path.replace(/\/$/, '')
  if (spelling === 'double-slash') return path.replace('/api/', '//api//')
  if (spelling === 'encoded') return path.replace('api', '%61pi')
  if (spelling === 'upper') return path.toUpperCase()
  return spelling === 'suffix' ? `${path}${suffix}` : path
}
