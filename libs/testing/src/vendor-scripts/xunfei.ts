import { createHmac, timingSafeEqual } from 'node:crypto'
import { fieldAt, listAt, pieces, textAt } from '../format-scripts/reading.ts'
import { INPUT, OUTPUT, requireThat, VENDOR_TEXT, type VendorCall, type VendorScript } from './script.ts'

export const XUNFEI_KEY = { app: 'app-1', secret: 'secret-1', name: 'name-1' } as const
const CHAT_FIELDS = new Set(['domain', 'temperature', 'top_k', 'max_tokens'])

/** Spark over a WebSocket: https://www.xfyun.cn/doc/spark/Web.html (2026-11-24). One element of the reply is one message. */
export const xunfei: VendorScript = (call) => {
  const { pathname } = new URL(call.path, call.base)
  requireThat(call.method === 'SOCKET' && pathname === '/v2.1/chat', `${call.method} ${pathname}`)
  requireSignature(call)
  const { body } = call
  requireThat(textAt(body['header'], 'app_id') === XUNFEI_KEY.app, 'app_id is required')
  const chat = fieldAt(body['parameter'], 'chat')
  requireThat(textAt(chat, 'domain') === 'generalv2', `domain ${textAt(chat, 'domain')}`)
  const unknown = Object.keys(chat ?? {}).filter((field) => !CHAT_FIELDS.has(field))
  requireThat(unknown.length === 0, `unknown fields ${unknown.join(', ')}`)
  const temperature = fieldAt(chat, 'temperature')
  requireThat(temperature === undefined || (typeof temperature === 'number' && temperature > 0 && temperature <= 1), 'temperature')
  const turns = listAt(fieldAt(body['payload'], 'message'), 'text')
  requireThat(
    turns.length > 0 && turns.every((turn, at) => textAt(turn, 'role') === (at % 2 === 0 ? 'user' : 'assistant')),
    'turns alternate',
  )
  const texts = pieces(VENDOR_TEXT)
  const usage = { text: { question_tokens: INPUT, prompt_tokens: INPUT, completion_tokens: OUTPUT, total_tokens: INPUT + OUTPUT } }
  return {
    body: texts.map((content, at) => {
      const isLast = at === texts.length - 1
      const status = isLast ? 2 : Math.min(at, 1)
      const choices = { status, seq: at, text: [{ content, role: 'assistant', index: 0 }] }
      return { header: { code: 0, message: 'Success', sid: 'cht1', status }, payload: { choices, ...(isLast ? { usage } : {}) } }
    }),
  }
}

/** The signature is checked by its description, without the relay's code. */
function requireSignature({ path, signedPath, base, headers }: VendorCall): void {
  const { searchParams } = new URL(path, base)
  const date = searchParams.get('date') ?? ''
  requireThat(Math.abs(Date.now() - Date.parse(date)) < 300_000, `signed at ${date}`)
  requireThat(searchParams.get('host') === headers.host, 'the host is another')
  const [requestPath] = signedPath.split('?')
  const text = [`host: ${headers.host}`, `date: ${date}`, `GET ${requestPath} HTTP/1.1`].join('\n')
  const expected = createHmac('sha256', XUNFEI_KEY.secret).update(text).digest()
  const credential = Buffer.from(searchParams.get('authorization') ?? '', 'base64').toString()
  const fields = Object.fromEntries(Array.from(credential.matchAll(/(\w+)="([^"]*)"/g), ([, name, value]) => [name, value]))
  requireThat(fields['api_key'] === XUNFEI_KEY.name && fields['algorithm'] === 'hmac-sha256', credential)
  const given = Buffer.from(fields['signature'] ?? '', 'base64')
  requireThat(given.length === expected.length && timingSafeEqual(given, expected), 'the signature does not match')
}
