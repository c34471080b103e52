import { createHash, createHmac } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { fieldAt, listAt, pieces, textAt } from '../format-scripts/reading.ts'
import { INPUT, OUTPUT, requirePath, requireThat, VENDOR_TEXT, type VendorCall, type VendorScript } from './script.ts'

export const AWS_KEY = { id: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', region: 'us-east-1' } as const
const MODEL = 'amazon.nova-lite-v1:0'

/**
 * Converse and ConverseStream of a model with text: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 * The signature is checked by its specification, without AWS's code.
 */
export const bedrock: VendorScript = (call) => {
  const isStream = call.path.endsWith('-stream')
  requirePath(call, `/model/${encodeURIComponent(MODEL)}/converse${isStream ? '-stream' : ''}`)
  requireSignature(call)
  const [turn] = listAt(call.body, 'messages')
  requireThat(textAt(turn, 'role') === 'user' && textAt(listAt(turn, 'content')[0], 'text') !== '', 'the first turn must be the user’s')
  const unknown = Object.keys(call.body).filter((field) => !KNOWN.has(field))
  requireThat(unknown.length === 0, `unknown fields ${unknown.join(', ')}`)
  const usage = { inputTokens: INPUT, outputTokens: OUTPUT, totalTokens: INPUT + OUTPUT }
  const metrics = { latencyMs: 12 }
  if (!isStream) {
    const output = { message: { role: 'assistant', content: [{ text: VENDOR_TEXT }] } }
    return { body: { output, stopReason: 'end_turn', usage, metrics } }
  }
  const events = [
    frame('messageStart', { role: 'assistant' }),
    ...pieces(VENDOR_TEXT).map((text) => frame('contentBlockDelta', { contentBlockIndex: 0, delta: { text } })),
    frame('contentBlockStop', { contentBlockIndex: 0 }),
    frame('messageStop', { stopReason: 'end_turn' }),
    frame('metadata', { usage, metrics }),
  ]
  return { type: 'application/vnd.amazon.eventstream', body: Buffer.concat(events) }
}

const KNOWN = new Set([
  'messages',
  'system',
  'inferenceConfig',
  'toolConfig',
  'guardrailConfig',
  'additionalModelRequestFields',
  'additionalModelResponseFieldPaths',
  'promptVariables',
  'requestMetadata',
  'performanceConfig',
  'serviceTier',
  'outputConfig',
])

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html */
function requireSignature({ method, signedPath, headers, raw }: VendorCall): void {
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/bedrock\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
      headers.authorization ?? '',
    )
  requireThat(found !== null, 'the call is not signed')
  const [, id = '', day = '', region = '', names = '', signature = ''] = found ?? []
  requireThat(id === AWS_KEY.id && region === AWS_KEY.region, `signed by ${id} for ${region}`)
  const path = signedPath.split('/').map(encodeURIComponent).join('/')
  const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const digest = createHash('sha256').update(raw).digest('hex')
  const canonical = [method, path, '', signed.join(''), names, digest].join('\n')
  const date = fieldAt(headers, 'x-amz-date')
  const scope = `${day}/${region}/bedrock/aws4_request`
  const text = ['AWS4-HMAC-SHA256', date, scope, createHash('sha256').update(canonical).digest('hex')].join('\n')
  const hmac = (key: string | Buffer, value: string) => createHmac('sha256', key).update(value).digest()
  const key = [region, 'bedrock', 'aws4_request'].reduce(hmac, hmac(`AWS4${AWS_KEY.secret}`, day))
  requireThat(createHmac('sha256', key).update(text).digest('hex') === signature, 'the signature does not match')
}

/** An event of AWS's binary streams, or an exception of this type: https://smithy.io/2.0/aws/amazon-eventstream.html */
export function frame(type: string, payload: object, kind: 'event' | 'exception' = 'event'): Buffer {
  const headers = Buffer.concat([header(`:${kind}-type`, type), header(':content-type', 'application/json'), header(':message-type', kind)])
  const body = Buffer.from(JSON.stringify(payload))
  const prelude = Buffer.alloc(8)
  prelude.writeUInt32BE(headers.length + body.length + 16, 0)
  prelude.writeUInt32BE(headers.length, 4)
  const checked = Buffer.concat([prelude, checksum(prelude), headers, body])
  return Buffer.concat([checked, checksum(checked)])
}

const STRING_HEADER = 7

function header(name: string, value: string): Buffer {
  const size = Buffer.alloc(2)
  size.writeUInt16BE(value.length)
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([STRING_HEADER]), size, Buffer.from(value)])
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(bytes))
  return sum
}
