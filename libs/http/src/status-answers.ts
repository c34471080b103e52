import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { hasTag } from './has-tag.ts'
import { languageOf, type Language } from './language.ts'

/** The control plane makes the answers at these addresses, and relays in front of it keep them. */
const STATUS_PATHS = ['/status', '/status.json', '/status.rss', '/status.atom', '/status/badge.svg'] as const
export type StatusPath = (typeof STATUS_PATHS)[number]

/** A call of the page: the parts that decide on its answer. */
export type StatusCall = {
  readonly path: StatusPath
  readonly language: Language
  /** The group of a badge; empty: all groups. */
  readonly group: string
}
export type StatusAnswer = {
  readonly headers: Readonly<Record<string, string>>
  readonly etag: string
  readonly body: Uint8Array
  readonly gzipped: Uint8Array
}

type Call = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

const compress = promisify(gzip)
const PREFIX = '/status'
const PLAIN = {
  'Content-Type': 'text/plain; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
} as const

export function readStatusCall({ method, url = '', headers }: Call): StatusCall | undefined {
  if (!url.startsWith(PREFIX) || (method !== 'GET' && method !== 'HEAD')) return undefined
  const at = url.indexOf('?')
  const path = STATUS_PATHS.find((one) => one === (at === -1 ? url : url.slice(0, at)))
  if (path === undefined) return undefined
  const query = at === -1 ? undefined : new URLSearchParams(url.slice(at + 1))
  const asked = query?.get('lang')
  const language = asked === 'zh' || asked === 'en' ? asked : languageOf(headers['accept-language'], 'en')
  return { path, language, group: path === '/status/badge.svg' ? (query?.get('group') ?? '') : '' }
}

export async function makeStatusAnswer(made: Omit<StatusAnswer, 'gzipped'>): Promise<StatusAnswer> {
  return { ...made, gzipped: await compress(made.body) }
}

/** Sends what is found, 404 for nothing, and 503 after an error, which is reported where it was caused. */
export function sendStatus(call: Call, outgoing: ServerResponse, found: Promise<StatusAnswer | undefined>): void {
  void found.then(
    (answer) => (answer === undefined ? sendPlain(outgoing, 404, 'Not Found') : send(call, outgoing, answer)),
    () => sendPlain(outgoing, 503, 'Service Unavailable', { 'Retry-After': '5' }),
  )
}

function send(call: Call, outgoing: ServerResponse, { headers, etag, body, gzipped }: StatusAnswer): void {
  if (hasTag(call.headers['if-none-match'], etag)) return void outgoing.writeHead(304, { ...headers, ETag: etag }).end()
  const isGzip = /\bgzip\b/.test(String(call.headers['accept-encoding'] ?? ''))
  const sent = isGzip ? gzipped : body
  const coding = isGzip ? { 'Content-Encoding': 'gzip' } : {}
  outgoing.writeHead(200, { ...headers, ETag: etag, 'Content-Length': sent.length, ...coding }).end(sent)
}

function sendPlain(outgoing: ServerResponse, status: number, text: string, more: Readonly<Record<string, string>> = {}): void {
  outgoing.writeHead(status, { ...PLAIN, ...more, 'Content-Length': text.length }).end(text)
}
