import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChatFormat } from '@tollgate/providers/chat/request'
import type { JsonObject } from '@tollgate/providers/json'
import type { Conversation } from './sdks.ts'

type Chat = Exclude<Conversation, 'embedding' | 'rerank'>

/** The SDKs' programs say the same. */
const said = JSON.parse(readFileSync(join(import.meta.dirname, 'conversation.json'), 'utf8')) as {
  readonly system: string
  readonly prompt: string
  readonly max_tokens: number
  readonly temperature: number
  readonly top_p: number
  readonly stop: readonly string[]
  readonly tool: { readonly name: string; readonly description: string; readonly parameters: JsonObject }
  readonly call: { readonly id: string; readonly arguments: JsonObject; readonly result: string }
  readonly picture: string
  readonly schema: { readonly name: string; readonly schema: JsonObject }
  readonly thinking: { readonly effort: string; readonly budget: number }
  readonly texts: readonly string[]
  readonly query: string
} // the file beside this one

const { system, prompt, max_tokens, temperature, top_p, stop, tool, call, picture, schema, thinking } = said

const chatMessages = (...more: readonly JsonObject[]) => [{ role: 'system', content: system }, { role: 'user', content: prompt }, ...more]
const chatTools = [{ type: 'function', function: tool }]
const CHAT: Readonly<Record<Chat, JsonObject>> = {
  plain: { messages: chatMessages(), max_tokens, temperature, top_p, stop },
  stream: { messages: chatMessages(), max_tokens, stream: true },
  tools: { messages: chatMessages(), max_tokens, tools: chatTools, tool_choice: 'required' },
  'tool result': {
    messages: chatMessages(
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: call.id, type: 'function', function: { name: tool.name, arguments: JSON.stringify(call.arguments) } }],
      },
      { role: 'tool', tool_call_id: call.id, content: call.result },
    ),
    max_tokens,
    tools: chatTools,
  },
  thinking: { messages: chatMessages(), max_tokens, reasoning_effort: thinking.effort },
  picture: {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: prompt },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } },
        ],
      },
    ],
    max_tokens,
  },
  schema: { messages: chatMessages(), max_tokens, response_format: { type: 'json_schema', json_schema: schema } },
}

const user = (content: unknown): JsonObject => ({ role: 'user', content })
const messagesTools = [{ name: tool.name, description: tool.description, input_schema: tool.parameters }]
const MESSAGES: Readonly<Record<Chat, JsonObject>> = {
  plain: { system, messages: [user(prompt)], max_tokens, temperature, top_p, stop_sequences: stop },
  stream: { system, messages: [user(prompt)], max_tokens, stream: true },
  tools: { system, messages: [user(prompt)], max_tokens, tools: messagesTools, tool_choice: { type: 'any' } },
  'tool result': {
    system,
    messages: [
      user(prompt),
      { role: 'assistant', content: [{ type: 'tool_use', id: call.id, name: tool.name, input: call.arguments }] },
      user([{ type: 'tool_result', tool_use_id: call.id, content: call.result }]),
    ],
    max_tokens,
    tools: messagesTools,
  },
  thinking: { system, messages: [user(prompt)], max_tokens, thinking: { type: 'enabled', budget_tokens: thinking.budget } },
  picture: {
    messages: [
      user([
        { type: 'text', text: prompt },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } },
      ]),
    ],
    max_tokens,
  },
  schema: { system, messages: [user(prompt)], max_tokens, output_config: { format: { type: 'json_schema', schema: schema.schema } } },
}

const systemInstruction = { parts: [{ text: system }] }
const contents = (...more: readonly JsonObject[]) => [{ role: 'user', parts: [{ text: prompt }] }, ...more]
const maxOutputTokens = max_tokens
const geminiTools = [{ functionDeclarations: [{ name: tool.name, description: tool.description, parametersJsonSchema: tool.parameters }] }]
const GEMINI: Readonly<Record<Chat, JsonObject>> = {
  plain: {
    systemInstruction,
    contents: contents(),
    generationConfig: { maxOutputTokens, temperature, topP: top_p, stopSequences: stop },
  },
  stream: { systemInstruction, contents: contents(), generationConfig: { maxOutputTokens } },
  tools: {
    systemInstruction,
    contents: contents(),
    generationConfig: { maxOutputTokens },
    tools: geminiTools,
    toolConfig: { functionCallingConfig: { mode: 'ANY' } },
  },
  'tool result': {
    systemInstruction,
    contents: contents(
      { role: 'model', parts: [{ functionCall: { id: call.id, name: tool.name, args: call.arguments } }] },
      { role: 'user', parts: [{ functionResponse: { id: call.id, name: tool.name, response: { output: call.result } } }] },
    ),
    generationConfig: { maxOutputTokens },
    tools: geminiTools,
  },
  thinking: {
    systemInstruction,
    contents: contents(),
    generationConfig: { maxOutputTokens, thinkingConfig: { thinkingBudget: thinking.budget, includeThoughts: true } },
  },
  picture: {
    contents: [{ role: 'user', parts: [{ text: prompt }, { inlineData: { mimeType: 'image/png', data: picture } }] }],
    generationConfig: { maxOutputTokens },
  },
  schema: {
    systemInstruction,
    contents: contents(),
    generationConfig: { maxOutputTokens, responseMimeType: 'application/json', responseJsonSchema: schema.schema },
  },
}

const BODIES: Partial<Record<ChatFormat, Readonly<Record<Chat, JsonObject>>>> = {
  'openai-chat': CHAT,
  'anthropic-messages': MESSAGES,
  gemini: GEMINI,
}

/** Request of a client of this format for the conversation; embeddings and rerank have one format each. */
export function clientBody(client: ChatFormat, conversation: Conversation, model: string): JsonObject {
  if (conversation === 'embedding') return { model, input: said.texts }
  if (conversation === 'rerank') return { model, query: said.query, documents: said.texts, top_n: 1 }
  const body = BODIES[client]?.[conversation]
  if (body === undefined) throw new Error(`no conversation ${conversation} in ${client}`)
  // Gemini's clients name the model in the path.
  return client === 'gemini' ? body : { model, ...body }
}
