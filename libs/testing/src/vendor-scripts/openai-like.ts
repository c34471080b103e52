import { data, fieldAt, pieces } from '../format-scripts/reading.ts'
import {
  EVENT_STREAM,
  INPUT,
  OUTPUT,
  requireHeader,
  requirePath,
  requireRange,
  requireThat,
  requireWithout,
  VENDOR_KEY,
  VENDOR_TEXT,
  type VendorCall,
  type VendorScript,
} from './script.ts'

/** A vendor whose chat is almost OpenAI's. */
type OpenAiLike = {
  readonly path: string
  readonly model: string
  /** Default: a bearer key. */
  readonly header?: readonly [name: string, value: string]
  readonly headers?: Readonly<Record<string, string>>
  readonly refused?: readonly string[]
  readonly ranges?: Readonly<Record<string, readonly [number, number]>>
  /** Where a stream states usage; by default in a chunk of its own if the call asks for it. */
  readonly streamUsage?: 'last chunk' | 'every chunk' | 'whole answer at the end'
  /** Fields of every document. */
  readonly extra?: object
}

export const usage = { prompt_tokens: INPUT, completion_tokens: OUTPUT, total_tokens: INPUT + OUTPUT }

export function openAiLike(vendor: OpenAiLike): VendorScript {
  return (call) => {
    check(call, vendor)
    const { body } = call
    requireThat(body['model'] === vendor.model, `model ${String(body['model'])}`)
    const base = { id: 'chat-1', created: 1_700_000_000, model: vendor.model, ...vendor.extra }
    const message = { role: 'assistant', content: VENDOR_TEXT }
    const whole = { ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }], usage }
    if (body['stream'] !== true) return { body: whole }
    const { streamUsage } = vendor
    const told = streamUsage === 'every chunk' ? { usage } : {}
    const chunk = (delta: object, finish_reason: string | null = null, own: object = told) =>
      data({ ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }], ...own })
    const isAsked = fieldAt(body['stream_options'], 'include_usage') === true
    const events = [
      chunk({ role: 'assistant', content: '' }),
      ...pieces(VENDOR_TEXT).map((content) => chunk({ content })),
      chunk({}, 'stop', streamUsage === 'last chunk' ? { usage } : told),
      ...(streamUsage === undefined && isAsked ? [data({ ...base, object: 'chat.completion.chunk', choices: [], usage })] : []),
      ...(streamUsage === 'whole answer at the end' ? [data(whole)] : []),
      'data: [DONE]\n\n',
    ]
    return { type: EVENT_STREAM, body: events.join('') }
  }
}

export function openAiEmbeddings(vendor: OpenAiLike): VendorScript {
  return (call) => {
    check(call, vendor)
    const input = fieldAt(call.body, 'input')
    const list: readonly unknown[] = Array.isArray(input) ? input : [input]
    const data = list.map((_, index) => ({ object: 'embedding', index, embedding: [0.25, -0.5] }))
    return { body: { object: 'list', model: vendor.model, data, usage: { prompt_tokens: INPUT, total_tokens: INPUT } } }
  }
}

function check(
  call: VendorCall,
  { path, header = ['authorization', `Bearer ${VENDOR_KEY}`], headers = {}, refused = [], ranges = {} }: OpenAiLike,
) {
  requirePath(call, path)
  requireHeader(call, ...header)
  for (const [name, value] of Object.entries(headers)) requireHeader(call, name, value)
  requireWithout(call, refused)
  for (const [field, range] of Object.entries(ranges)) requireRange(call, field, range)
}
