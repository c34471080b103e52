import type { ChatFormat } from '../chat/request.ts'
import type { JsonObject } from '../json.ts'

/** Tests only: bodies that a client writes to make a conversion costly, of any length. */
type Shape = (n: number) => JsonObject

const list = <T>(n: number, make: (at: number) => T): T[] => Array.from({ length: n }, (_, at) => make(at))
const record = <T>(n: number, make: (at: number) => T): Record<string, T> => Object.fromEntries(list(n, (at) => [`name_${at}`, make(at)]))
const reversed = <T>(n: number, make: (at: number) => T): T[] => list(n, (at) => make(n - 1 - at))

/** Schemas of one tool. */
const SCHEMAS: Readonly<Record<string, Shape>> = {
  'a schema of many properties': (n) => ({
    type: 'object',
    properties: record(n, () => ({ type: 'string' })),
    required: Object.keys(record(n, () => 0)),
  }),
  'a schema that joins many': (n) => ({
    allOf: list(n, (at) => ({ type: 'object', properties: { [`p${at}`]: { type: 'string' } }, required: [`p${at}`] })),
  }),
  'a schema that joins the same again': (n) => ({
    allOf: list(n, () => ({ type: 'object', properties: { p: { enum: ['a', 'b'] } }, required: ['p'] })),
  }),
  'a schema of many choices': (n) => ({ type: 'object', properties: { p: { anyOf: list(n, (at) => ({ const: `c${at}` })) } } }),
  'a schema of many values': (n) => ({ type: 'object', properties: { p: { enum: list(n, (at) => `v${at}`) } } }),
  'a schema of many types': (n) => ({ type: 'object', properties: record(n, () => ({ type: ['string', 'null', 'integer'] })) }),
  'a schema of references in a chain': (n) => ({
    type: 'object',
    properties: { p: { $ref: '#/$defs/name_0' } },
    $defs: record(n, (at) => ({ type: 'object', properties: { next: { $ref: `#/$defs/name_${at + 1}` } } })),
  }),
  'a schema of many references to one': (n) => ({
    type: 'object',
    properties: record(n, () => ({ $ref: '#/$defs/one' })),
    $defs: { one: { type: 'object', properties: { a: { type: 'string' } } } },
  }),
}

const inTool = (toBody: (schema: JsonObject) => JsonObject): Readonly<Record<string, Shape>> =>
  Object.fromEntries(Object.entries(SCHEMAS).map(([name, shape]) => [name, (n: number) => toBody(shape(n))]))

const callOf = (at: number) => ({ id: `call_${at}`, type: 'function', function: { name: 'look', arguments: '{"at":1}' } })
const user = { role: 'user', content: 'x' }

const CHAT: Readonly<Record<string, Shape>> = {
  ...inTool((parameters) => ({ messages: [user], tools: [{ type: 'function', function: { name: 'look', parameters } }] })),
  'many messages of one role': (n) => ({ messages: list(n, () => user) }),
  'many turns': (n) => ({ messages: list(2 * n, (at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: 'x' })) }),
  'many system messages': (n) => ({ messages: [...list(n, () => ({ role: 'system', content: 'x' })), user] }),
  'system messages between': (n) => ({ messages: list(2 * n, (at) => ({ role: at % 2 === 0 ? 'user' : 'system', content: 'x' })) }),
  'many parts': (n) => ({ messages: [{ role: 'user', content: list(n, () => ({ type: 'text', text: 'x' })) }] }),
  'many calls, answered backwards': (n) => ({
    messages: [
      user,
      { role: 'assistant', content: null, tool_calls: list(n, callOf) },
      ...reversed(n, (at) => ({ role: 'tool', tool_call_id: `call_${at}`, content: 'x' })),
    ],
  }),
  'many calls of one id': (n) => ({
    messages: [
      user,
      { role: 'assistant', content: null, tool_calls: list(n, () => callOf(0)) },
      ...list(n, () => ({ role: 'tool', tool_call_id: 'call_0', content: 'x' })),
    ],
  }),
  'many calls without an answer': (n) => ({
    messages: list(n, (at) => ({ role: 'assistant', content: null, tool_calls: [callOf(at)] })).concat(user as never),
  }),
  'many answers without a call': (n) => ({
    messages: [user, ...list(n, (at) => ({ role: 'tool', tool_call_id: `call_${at}`, content: 'x' }))],
  }),
  'many tools': (n) => ({
    messages: [user],
    tools: list(n, (at) => ({ type: 'function', function: { name: `tool_${at}`, parameters: { type: 'object' } } })),
  }),
}

const question = { role: 'user', content: 'x' }
const RESPONSES: Readonly<Record<string, Shape>> = {
  ...inTool((parameters) => ({ input: 'x', tools: [{ type: 'function', name: 'look', parameters, strict: false }] })),
  'many messages of one role': (n) => ({ input: list(n, () => question) }),
  'many turns': (n) => ({ input: list(2 * n, (at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: 'x' })) }),
  'many parts': (n) => ({ input: [{ role: 'user', content: list(n, () => ({ type: 'input_text', text: 'x' })) }] }),
  'many calls, answered backwards': (n) => ({
    input: [
      question,
      ...list(n, (at) => ({ type: 'function_call', call_id: `call_${at}`, name: 'look', arguments: '{}' })),
      ...reversed(n, (at) => ({ type: 'function_call_output', call_id: `call_${at}`, output: 'x' })),
    ],
  }),
  'many answers without a call': (n) => ({
    input: [question, ...list(n, (at) => ({ type: 'function_call_output', call_id: `call_${at}`, output: 'x' }))],
  }),
  'much reasoning': (n) => ({
    input: [
      question,
      ...list(n, (at) => ({ type: 'reasoning', id: `rs_${at}`, summary: [{ type: 'summary_text', text: 'x' }] })),
      question,
    ],
  }),
  'many tools': (n) => ({
    input: 'x',
    tools: list(n, (at) => ({ type: 'function', name: `tool_${at}`, parameters: { type: 'object' }, strict: false })),
  }),
}

const MESSAGES: Readonly<Record<string, Shape>> = {
  ...inTool((input_schema) => ({ messages: [user], tools: [{ name: 'look', input_schema }] })),
  'many messages of one role': (n) => ({ messages: list(n, () => user) }),
  'many turns': (n) => ({ messages: list(2 * n, (at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: 'x' })) }),
  'many blocks': (n) => ({ messages: [{ role: 'user', content: list(n, () => ({ type: 'text', text: 'x' })) }] }),
  'a system of many blocks': (n) => ({ system: list(n, () => ({ type: 'text', text: 'x' })), messages: [user] }),
  'many calls, answered backwards': (n) => ({
    messages: [
      user,
      { role: 'assistant', content: list(n, (at) => ({ type: 'tool_use', id: `toolu_${at}`, name: 'look', input: { at } })) },
      { role: 'user', content: reversed(n, (at) => ({ type: 'tool_result', tool_use_id: `toolu_${at}`, content: 'x' })) },
    ],
  }),
  'many answers without a call': (n) => ({
    messages: [{ role: 'user', content: list(n, (at) => ({ type: 'tool_result', tool_use_id: `toolu_${at}`, content: 'x' })) }],
  }),
  'much reasoning': (n) => ({
    messages: [user, { role: 'assistant', content: list(n, () => ({ type: 'thinking', thinking: 'x', signature: 's' })) }, user],
  }),
  'many tools': (n) => ({ messages: [user], tools: list(n, (at) => ({ name: `tool_${at}`, input_schema: { type: 'object' } })) }),
}

const part = { text: 'x' }
const GEMINI: Readonly<Record<string, Shape>> = {
  ...inTool((parameters) => ({
    contents: [{ role: 'user', parts: [part] }],
    tools: [{ functionDeclarations: [{ name: 'look', parameters }] }],
  })),
  'many messages of one role': (n) => ({ contents: list(n, () => ({ role: 'user', parts: [part] })) }),
  'many turns': (n) => ({ contents: list(2 * n, (at) => ({ role: at % 2 === 0 ? 'user' : 'model', parts: [part] })) }),
  'many parts': (n) => ({ contents: [{ role: 'user', parts: list(n, () => part) }] }),
  'a system of many parts': (n) => ({ systemInstruction: { parts: list(n, () => part) }, contents: [{ role: 'user', parts: [part] }] }),
  'many calls, answered backwards': (n) => ({
    contents: [
      { role: 'user', parts: [part] },
      { role: 'model', parts: list(n, (at) => ({ functionCall: { name: `look_${at}`, args: {} } })) },
      { role: 'user', parts: reversed(n, (at) => ({ functionResponse: { name: `look_${at}`, response: { at } } })) },
    ],
  }),
  'many calls of one name': (n) => ({
    contents: [
      { role: 'user', parts: [part] },
      { role: 'model', parts: list(n, () => ({ functionCall: { name: 'look', args: {} } })) },
      { role: 'user', parts: list(n, () => ({ functionResponse: { name: 'look', response: {} } })) },
    ],
  }),
  'many answers without a call': (n) => ({
    contents: [{ role: 'user', parts: list(n, (at) => ({ functionResponse: { name: `look_${at}`, response: {} } })) }],
  }),
  'many tools': (n) => ({
    contents: [{ role: 'user', parts: [part] }],
    tools: [{ functionDeclarations: list(n, (at) => ({ name: `tool_${at}`, parameters: { type: 'object' } })) }],
  }),
}

const MODEL = { model: 'the-model' }
const LIMIT = { max_tokens: 100 }

/** Keyed by client format. */
export const SHAPES: Readonly<Record<ChatFormat, Readonly<Record<string, Shape>>>> = {
  'openai-chat': withFields(CHAT, MODEL),
  'openai-responses': withFields(RESPONSES, MODEL),
  'anthropic-messages': withFields(MESSAGES, { ...MODEL, ...LIMIT }),
  gemini: GEMINI,
}

function withFields(shapes: Readonly<Record<string, Shape>>, fields: JsonObject): Readonly<Record<string, Shape>> {
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, (n: number) => ({ ...fields, ...shape(n) })]))
}

/** Few bytes whose references expand to many. */
export function fanOut(branches: number, levels: number): JsonObject {
  const $defs = Object.fromEntries(
    list(levels, (level) => [
      `level_${level}`,
      {
        type: 'object',
        properties: record(branches, () => (level + 1 < levels ? { $ref: `#/$defs/level_${level + 1}` } : { type: 'string' })),
      },
    ]),
  )
  return { type: 'object', properties: { p: { $ref: '#/$defs/level_0' } }, $defs }
}
