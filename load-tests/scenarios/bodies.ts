export type ClientFormat = 'openai' | 'anthropic' | 'gemini'

const PROSE = 'The gateway forwards what it was given and counts what it forwards. 网关转发收到的内容，并计算费用。'

/** `bytes` is the size of the whole body, within a few bytes. */
export function makeBody(format: ClientFormat, { model, bytes, stream }: { model: string; bytes: number; stream: boolean }): string {
  const empty = JSON.stringify(shape(format, model, '', stream))
  return JSON.stringify(shape(format, model, proseOf(Math.max(1, bytes - Buffer.byteLength(empty))), stream))
}

function shape(format: ClientFormat, model: string, text: string, stream: boolean): object {
  if (format === 'openai') return { model, messages: [{ role: 'user', content: text }], max_tokens: 256, ...(stream ? { stream } : {}) }
  if (format === 'anthropic') return { model, max_tokens: 256, messages: [{ role: 'user', content: text }], ...(stream ? { stream } : {}) }
  return { contents: [{ role: 'user', parts: [{ text }] }], generationConfig: { maxOutputTokens: 256 } }
}

function proseOf(bytes: number): string {
  const whole = Buffer.byteLength(PROSE)
  const rest = bytes % whole
  return PROSE.repeat(Math.floor(bytes / whole)) + 'a'.repeat(rest)
}

/** Path of a chat request in each client format. */
export function pathOf(format: ClientFormat, model: string, stream: boolean): string {
  if (format === 'openai') return '/v1/chat/completions'
  if (format === 'anthropic') return '/v1/messages'
  return `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`
}
