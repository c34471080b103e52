import { gzipSync } from 'node:zlib'
import { changeBytes, changeTree, encodeChanged } from '../mutations.ts'
import type { RawRequest } from '../raw-call.ts'
import type { FormChange, ModelCase } from './cases.ts'
import { baseCalls, type BaseCall, type FormPart } from './routes.ts'

export type Caller = {
  readonly key: string
  /** The id of something that an earlier call made. */
  readonly idOf: (kind: string) => string
}

export const CASE_HEADER = 'x-fuzz-case'
const ID = /\{([a-z-]+)\}/g
const BOUNDARY = '----fuzzboundary7d9'

export function baseOf(one: ModelCase): BaseCall {
  const base = baseCalls[one.call]
  if (base === undefined) throw new Error(`no call ${one.call}`)
  return base
}

export function modelOf(one: ModelCase): string {
  const { models } = baseOf(one)
  return models[one.model % models.length] ?? ''
}

/** The bytes of a case. */
export function encodeCase(one: ModelCase, id: string, { key, idOf }: Caller): RawRequest {
  const base = baseOf(one)
  const { body, contentType } = encodeBody(one, base, idOf)
  const type = one.contentType === '' ? contentType : one.contentType
  const headers: (readonly [string, string])[] = [
    ['Host', '127.0.0.1'],
    credentialOf(base, key),
    [CASE_HEADER, id],
    ...(type === 'none' || type === '' ? [] : [['Content-Type', type] as const]),
    ...(base.headers ?? []),
    ...one.headers,
  ]
  return { method: base.method, target: targetOf(one, base, idOf), ...framed(one, { headers, body }) }
}

function credentialOf({ format }: BaseCall, key: string): readonly [string, string] {
  if (format === 'anthropic') return ['x-api-key', `sk-${key}`]
  return format === 'gemini' ? ['x-goog-api-key', `sk-${key}`] : ['Authorization', `Bearer sk-${key}`]
}

function targetOf(one: ModelCase, base: BaseCall, idOf: Caller['idOf']): string {
  const { kind, text } = one.path
  // A path in a request line has no white space, control characters or letters beyond Latin-1.
  const safe = text.replaceAll(/[^\x21-\x7e]/g, (letter) => encodeURIComponent(letter.toWellFormed())).slice(0, 4000)
  const model = kind === 'model' ? safe : encodeURIComponent(modelOf(one))
  const path = base.path.replace('{model}', () => model).replaceAll(ID, (_whole, kind: string) => encodeURIComponent(idOf(kind)))
  const ending = kind === 'suffix' ? safe : ''
  const raw = kind === 'raw' && safe !== '' ? path.replace(/^\/v1/, () => `/${safe}`) : path
  const query = one.query.map(([name, value]) => `${name}=${value.replaceAll(' ', '+')}`).join('&')
  return `${raw}${ending}${query === '' ? '' : `${raw.includes('?') ? '&' : '?'}${query}`}`
}

function encodeBody(one: ModelCase, base: BaseCall, idOf: Caller['idOf']): { readonly body: Buffer; readonly contentType: string } {
  const { body } = base
  if (body.kind === 'none') return { body: Buffer.alloc(0), contentType: '' }
  if (body.kind === 'form') return { body: encodeForm(one, body.parts), contentType: `multipart/form-data; boundary=${BOUNDARY}` }
  const text = JSON.stringify(body.value)
    .replaceAll('"{model}"', () => JSON.stringify(modelOf(one)))
    .replaceAll(/"\{([a-z-]+)\}"/g, (_whole, kind: string) => JSON.stringify(idOf(kind)))
  const named = changeTree(JSON.parse(text), one.changes)
  return { body: encodeChanged(named, one.text), contentType: 'application/json' }
}

function encodeForm(one: ModelCase, given: readonly FormPart[]): Buffer {
  let parts = given.map((part) => (part.value === '{model}' ? { ...part, value: modelOf(one) } : part))
  for (const change of one.form) parts = changeForm(parts, change)
  const end = one.form.some(({ kind }) => kind === 'no-end') ? '' : `--${BOUNDARY}--\r\n`
  const boundary = one.form.some(({ kind }) => kind === 'boundary') ? `${BOUNDARY}x` : BOUNDARY
  const encoded = parts.flatMap(({ name, value, file }) => {
    const fileName = file === undefined ? '' : `; filename="${file.name}"`
    const type = file === undefined ? '' : `Content-Type: ${file.type}\r\n`
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${fileName}\r\n${type}\r\n`
    return [Buffer.from(head), file?.bytes ?? Buffer.from(value), Buffer.from('\r\n')]
  })
  let bytes: Buffer = Buffer.concat([...encoded, Buffer.from(end)])
  for (const change of one.text) if (change.kind !== 'double-key') bytes = changeBytes(bytes, change)
  return bytes
}

function changeForm(parts: readonly FormPart[], change: FormChange): FormPart[] {
  const at = parts.length === 0 ? 0 : change.at % parts.length
  const part = parts[at]
  if (part === undefined) return [...parts]
  if (change.kind === 'remove') return parts.toSpliced(at, 1)
  if (change.kind === 'double') return [...parts, part]
  if (change.kind === 'value') return parts.toSpliced(at, 1, { name: part.name, value: change.text })
  if (change.kind === 'name') return parts.toSpliced(at, 1, { ...part, name: change.text })
  if (change.kind === 'file-name')
    return parts.toSpliced(at, 1, {
      ...part,
      file: { type: 'audio/mpeg', bytes: Buffer.from(part.value), ...part.file, name: change.text },
    })
  return [...parts]
}

type Framed = Pick<RawRequest, 'headers' | 'body' | 'cutAfter' | 'isChunked' | 'contentLength'>

function framed(one: ModelCase, { headers, body }: Pick<RawRequest, 'headers' | 'body'>): Framed {
  const { sending, share } = one
  const part = Math.floor(share * body.length)
  if (sending === 'cut') return { headers, body, cutAfter: part }
  if (sending === 'leave') return { headers, body, cutAfter: body.length }
  if (sending === 'chunked') return { headers, body, isChunked: true }
  if (sending === 'short-length') return { headers, body, contentLength: String(part) }
  if (sending === 'long-length') return { headers, body, contentLength: String(body.length + 10), cutAfter: body.length }
  if (sending === 'bad-length') return { headers, body, contentLength: share < 0.5 ? '-1' : '9e9' }
  if (sending === 'gzip') return { headers: [...headers, ['Content-Encoding', 'gzip']], body: gzipSync(body) }
  if (sending === 'false-gzip') return { headers: [...headers, ['Content-Encoding', 'gzip']], body }
  if (sending === 'both-framings') return { headers: [...headers, ['Content-Length', '3']], body, isChunked: true }
  return { headers, body }
}

/** A curl command that repeats the call. */
export function toCurl(url: string, { method, target, headers, body }: RawRequest): string {
  const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
  const shown = headers
    .filter(([name]) => name !== 'Host' && name !== CASE_HEADER)
    .map(([name, value]) => `-H ${quote(`${name}: ${value.slice(0, 300)}`)}`)
  const isText = Buffer.from(body.toString()).equals(body)
  const text = body.length > 4000 ? `${body.subarray(0, 4000).toString()}…(${body.length} bytes)` : body.toString()
  const data = isText ? `--data-binary ${quote(text)}` : `--data-binary @<(base64 -d <<<${body.subarray(0, 3000).toString('base64')})`
  return [`curl -i --path-as-is -X ${method} ${quote(url + target)}`, ...shown, ...(body.length === 0 ? [] : [data])].join(' ')
}
