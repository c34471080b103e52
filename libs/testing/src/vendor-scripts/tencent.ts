import { createHash, createHmac } from 'node:crypto'
import { data, fieldAt, listAt, pieces, textAt } from '../format-scripts/reading.ts'
import {
  EVENT_STREAM,
  INPUT,
  OUTPUT,
  requireHeader,
  requirePath,
  requireThat,
  VENDOR_TEXT,
  type VendorCall,
  type VendorScript,
} from './script.ts'

export const TENCENT_KEY = { app: '1250000000', id: 'AKIDEXAMPLE', secret: 'Gu5t9xGARNpq86cd98joQYCN3EXAMPLE' } as const
const FIELDS = new Set(['Model', 'Messages', 'Stream', 'TopP', 'Temperature', 'Tools', 'ToolChoice', 'CustomTool', 'Seed', 'Stop'])

/**
 * ChatCompletions of Hunyuan: https://cloud.tencent.com/document/product/1729/105701 (2026-11-24). The signature is checked by its
 * description, without Tencent's code.
 */
export const tencent: VendorScript = (call) => {
  requirePath(call, '/')
  requireHeader(call, 'x-tc-action', 'ChatCompletions')
  requireHeader(call, 'x-tc-version', '2023-09-01')
  requireSignature(call)
  const { body } = call
  const unknown = Object.keys(body).filter((field) => !FIELDS.has(field))
  requireThat(unknown.length === 0, `unknown fields ${unknown.join(', ')}`)
  requireThat(textAt(body, 'Model') === 'hunyuan-pro', 'Model is required')
  const [turn] = listAt(body, 'Messages')
  requireThat(textAt(turn, 'Role') === 'user' && textAt(turn, 'Content') !== '', 'the first turn must be the user’s')
  const Usage = { PromptTokens: INPUT, CompletionTokens: OUTPUT, TotalTokens: INPUT + OUTPUT }
  const answer = { Id: 'h1', Created: 1_700_000_000, Note: 'generated', Usage }
  if (body['Stream'] !== true) {
    const Message = { Role: 'assistant', Content: VENDOR_TEXT }
    return { body: { Response: { ...answer, RequestId: 'r1', Choices: [{ Index: 0, FinishReason: 'stop', Message }] } } }
  }
  const texts = pieces(VENDOR_TEXT)
  const events = texts.map((Content, at) => {
    const FinishReason = at === texts.length - 1 ? 'stop' : ''
    return data({ ...answer, Choices: [{ Index: 0, Delta: { Role: 'assistant', Content }, FinishReason }] })
  })
  return { type: EVENT_STREAM, body: events.join('') }
}

function requireSignature({ headers, raw }: VendorCall): void {
  const timestamp = Number(fieldAt(headers, 'x-tc-timestamp'))
  requireThat(Math.abs(Date.now() / 1000 - timestamp) < 300, `signed at ${timestamp}`)
  const expected = tencentAuthorization({
    service: 'hunyuan',
    host: 'hunyuan.tencentcloudapi.com',
    type: headers['content-type'] ?? '',
    timestamp,
    body: raw,
    id: TENCENT_KEY.id,
    secret: TENCENT_KEY.secret,
  })
  requireThat(headers.authorization === expected, 'the signature does not match')
}

type Signing = {
  readonly service: string
  readonly host: string
  readonly type: string
  /** Unix seconds. */
  readonly timestamp: number
  readonly body: string | Buffer
  readonly id: string
  readonly secret: string
}

/** The header `authorization` of a POST: https://www.tencentcloud.com/document/api/213/33224 (2026-11-24) */
export function tencentAuthorization({ service, host, type, timestamp, body, id, secret }: Signing): string {
  const date = new Date(timestamp * 1000).toISOString().split('T')[0] ?? ''
  const hash = createHash('sha256').update(body).digest('hex')
  const request = `POST\n/\n\ncontent-type:${type}\nhost:${host}\n\ncontent-type;host\n${hash}`
  const scope = `${date}/${service}/tc3_request`
  const text = `TC3-HMAC-SHA256\n${timestamp}\n${scope}\n${createHash('sha256').update(request).digest('hex')}`
  const dated = createHmac('sha256', `TC3${secret}`).update(date).digest()
  const served = createHmac('sha256', dated).update(service).digest()
  const key = createHmac('sha256', served).update('tc3_request').digest()
  const signature = createHmac('sha256', key).update(text).digest('hex')
  return `TC3-HMAC-SHA256 Credential=${id}/${scope}, SignedHeaders=content-type;host, Signature=${signature}`
}
