import type { SentMessage, SentPart } from '../chat/messages.ts'
import type { Json } from './request-code.ts'

/** The request as the playground sends it, without what only the console needs. */
export type OpenAiBody = {
  readonly model: string
  readonly messages: readonly SentMessage[]
  readonly temperature?: number
  readonly max_tokens?: number
  readonly tools?: readonly unknown[]
  readonly response_format?: { readonly json_schema: { readonly schema: unknown } }
}

type Fields = { readonly [name: string]: Json }
/** Anthropic needs a limit. */
const ANTHROPIC_MAX_TOKENS = 4_096

export function toAnthropic({ model, messages, temperature, max_tokens, tools, response_format }: OpenAiBody): Fields {
  const system = systemOf(messages)
  const schema = response_format?.json_schema.schema
  return {
    model,
    max_tokens: max_tokens ?? ANTHROPIC_MAX_TOKENS,
    ...(system === '' ? {} : { system }),
    messages: messages.flatMap(anthropicMessage),
    ...(temperature === undefined ? {} : { temperature }),
    ...(tools === undefined
      ? {}
      : { tools: functionsOf(tools).map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })) }),
    ...(schema === undefined ? {} : { output_config: { format: { type: 'json_schema', schema: schema as Json } } }), // read as JSON
  }
}

function anthropicMessage(message: SentMessage): readonly Fields[] {
  if (message.role === 'system') return []
  if (message.role === 'tool')
    return [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: message.tool_call_id, content: message.content }] }]
  if (message.role === 'user')
    return [{ role: 'user', content: typeof message.content === 'string' ? message.content : message.content.map(anthropicPart) }]
  if (message.tool_calls === undefined) return [{ role: 'assistant', content: message.content }]
  const calls = message.tool_calls.map(({ id, function: { name, arguments: text } }) => ({
    type: 'tool_use',
    id,
    name,
    input: inputOf(text),
  }))
  return [{ role: 'assistant', content: message.content === '' ? calls : [{ type: 'text', text: message.content }, ...calls] }]
}

function anthropicPart(part: SentPart): Fields {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const { mime, data } = dataOf(part.image_url.url)
  return { type: 'image', source: { type: 'base64', media_type: mime, data } }
}

export function toGemini({ messages, temperature, max_tokens, tools, response_format }: OpenAiBody): Fields {
  const system = systemOf(messages)
  const generationConfig: Fields = {
    ...(temperature === undefined ? {} : { temperature }),
    ...(max_tokens === undefined ? {} : { maxOutputTokens: max_tokens }),
    ...(response_format === undefined
      ? {}
      : { responseMimeType: 'application/json', responseJsonSchema: response_format.json_schema.schema as Json }), // read as JSON
  }
  const names = new Map(
    messages.flatMap((message) =>
      (message.role === 'assistant' ? (message.tool_calls ?? []) : []).map((call) => [call.id, call.function.name]),
    ),
  )
  return {
    ...(system === '' ? {} : { systemInstruction: { parts: [{ text: system }] } }),
    contents: messages.flatMap((message) => geminiMessage(message, names)),
    ...(Object.keys(generationConfig).length === 0 ? {} : { generationConfig }),
    ...(tools === undefined
      ? {}
      : {
          tools: [
            {
              functionDeclarations: functionsOf(tools).map(({ name, description, parameters }) => ({
                name,
                description,
                parametersJsonSchema: parameters,
              })),
            },
          ],
        }),
  }
}

function geminiMessage(message: SentMessage, names: ReadonlyMap<string, string>): readonly Fields[] {
  if (message.role === 'system') return []
  if (message.role === 'tool')
    return [
      {
        role: 'user',
        parts: [{ functionResponse: { name: names.get(message.tool_call_id) ?? '', response: { result: message.content } } }],
      },
    ]
  if (message.role === 'user')
    return [{ role: 'user', parts: typeof message.content === 'string' ? [{ text: message.content }] : message.content.map(geminiPart) }]
  const calls = (message.tool_calls ?? []).map(({ function: { name, arguments: text } }) => ({
    functionCall: { name, args: inputOf(text) },
  }))
  return [{ role: 'model', parts: message.content === '' ? calls : [{ text: message.content }, ...calls] }]
}

function geminiPart(part: SentPart): Fields {
  if (part.type === 'text') return { text: part.text }
  const { mime, data } = dataOf(part.image_url.url)
  return { inlineData: { mimeType: mime, data } }
}

const systemOf = (messages: readonly SentMessage[]): string =>
  messages.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n')

function dataOf(address: string): { readonly mime: string; readonly data: string } {
  const [, mime = 'image/png', data = ''] = /^data:([^;,]+);base64,(.*)$/s.exec(address) ?? []
  return { mime, data }
}

function inputOf(text: string): Json {
  try {
    return JSON.parse(text) as Json // JSON is what it is
  } catch {
    // A model wrote no JSON: shown as it is.
    return text
  }
}

type Called = { readonly name: string; readonly description: string; readonly parameters: Json }

function functionsOf(tools: readonly unknown[]): readonly Called[] {
  return tools.flatMap((tool) => {
    const called: unknown = typeof tool === 'object' && tool !== null && 'function' in tool ? tool.function : undefined
    if (typeof called !== 'object' || called === null) return []
    const { name, description, parameters } = called as Partial<Called> // what the reader typed; missing parts are filled in
    return [{ name: name ?? '', description: description ?? '', parameters: parameters ?? { type: 'object' } }]
  })
}
