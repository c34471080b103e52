import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../json.ts'
import { openAiChat } from '../openai-chat/index.ts'
import { gemini } from './index.ts'

/** The body that a Gemini model before 2.5 gets for a chat request. */
function converted(request: JsonObject): JsonObject {
  const decoded = openAiChat.client.decodeRequest(
    { model: 'gemini-2.0-flash', messages: [{ role: 'user', content: 'Hi' }], ...request },
    {},
  )
  if (decoded.kind === 'invalid') throw new Error(decoded.detail)
  return gemini.vendor.encodeChat(openAiChat.client.decodeChat(decoded.request), {
    upstream_model: 'gemini-2.0-flash',
    is_stream: false,
    supports_stream_options: true,
    default_max_tokens: 8192,
    safety_settings: [],
    makes_images: false,
  }).body
}
const tool = (parameters: JsonObject) => ({ type: 'function', function: { name: 'f', parameters } })
const lengthOf = (value: unknown) => JSON.stringify(value).length

/** Each level refers to the next `width` times. */
function nested(levels: number, width: number): JsonObject {
  const level = (at: number) => ({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: width }, (_, name) => [`p${name}`, { $ref: `#/$defs/l${at + 1}` }])),
  })
  const $defs = Object.fromEntries(
    Array.from({ length: levels }, (_, at) => [`l${at + 1}`, at + 1 === levels ? { type: 'string' } : level(at + 1)]),
  )
  return { ...level(0), $defs }
}
const tree = { type: 'object', properties: { left: { $ref: '#' }, right: { $ref: '#' }, name: { type: 'string' } } }

describe('a tool’s schema written out for Google', () => {
  it.each([
    ['references that fan out', nested(11, 4)],
    ['a tree that refers to itself', tree],
    ['a hundred lists of one schema', { anyOf: Array.from({ length: 100 }, () => ({ $ref: '#' })) }],
  ])('grows at most by a fixed factor: %s', (_name, parameters) => {
    const request = { tools: [tool(parameters)] }

    expect(lengthOf(converted(request))).toBeLessThan(50_000 + 100 * lengthOf(request))
  })

  it('keeps every level of references that do not fan out', () => {
    const chain = converted({ tools: [tool(nested(10, 1))] })

    expect(JSON.stringify(chain).match(/"p0"/g)).toHaveLength(10)
  })

  it('keeps the upper levels of a recursive one', () => {
    const text = JSON.stringify(converted({ tools: [tool(tree)] }))

    expect(text.match(/"name":\{"type":"STRING"\}/g)?.length).toBeGreaterThan(30)
  })
})

describe('a long conversation for Google', () => {
  it('joins a hundred thousand messages of one role, and a schema with as many parts', () => {
    const count = 100_000
    const messages = Array.from({ length: count }, (_, at) => ({ role: 'user', content: String(at) }))
    const allOf = Array.from({ length: count }, (_, at) => ({ required: [`r${at}`], properties: { [`r${at}`]: { type: 'string' } } }))

    const { contents, tools } = converted({ messages, tools: [tool({ type: 'object', allOf })] })

    expect((contents as { parts: unknown[] }[])[0]?.parts).toHaveLength(count) // declared by Google
    expect(JSON.stringify(tools).match(/"STRING"/g)).toHaveLength(count)
  })
})
