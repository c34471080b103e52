import type { CallConditions, SyncedPlace } from './operation.ts'
import { readAt, writeAt } from './path.ts'

type Body = Readonly<Record<string, unknown>>
type Headers = Readonly<Record<string, string>>
type Call = { readonly body: Body; readonly headers: Headers }

const MAX_HEADER = 1024

/** Copies the value of the place that has one to the place that has none. Two values, or none, stay as they are. */
export function syncFields(call: Call, [from, to]: readonly [SyncedPlace, SyncedPlace], { header }: CallConditions): Call {
  const [first, second] = [from, to].map((place) => valueAt(place, call, header))
  if (isBlank(first) === isBlank(second)) return call
  return isBlank(first) ? write(call, from, second) : write(call, to, first)
}

/** A header is read from the client's request, or as an operation before has set it. */
function valueAt(place: SyncedPlace, { body, headers }: Call, clientHeader: CallConditions['header']): unknown {
  return place.kind === 'body' ? readAt(body, place.path) : (headers[place.name] ?? clientHeader(place.name))
}

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === ''

function write(call: Call, place: SyncedPlace, value: unknown): Call {
  if (place.kind === 'body') return { ...call, body: writeAt(call.body, place.path, value) }
  const text = toHeader(value)
  return text === undefined ? call : { ...call, headers: { ...call.headers, [place.name]: text } }
}

/** Undefined for what no header can hold: objects, long texts and signs outside of visible ASCII. */
function toHeader(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value.length <= MAX_HEADER && /^[\x20-\x7e]+$/.test(value) ? value : undefined
}
