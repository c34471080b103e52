import type { ChatRequest, FunctionTool, Message } from '../../chat/request.ts'
import type { JsonObject } from '../../json.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { Warnings } from '../../warnings.ts'
import { noteUncarried, textOf } from '../text-only.ts'
import { encodeParts } from './encode-parts.ts'

const CARRIED = ['max_tokens', 'temperature', 'top_p', 'stop', 'tools']

export function encodeChat(request: ChatRequest): { body: JsonObject; warnings: readonly string[] } {
  const warnings = new Warnings()
  noteUncarried(request, CARRIED, warnings)
  const turns = encodeTurns(request.messages, warnings)
  const system = encodeSystem(request.messages, warnings)
  const { max_tokens, temperature, top_p, stop } = request
  const inferenceConfig = omitUndefined<JsonObject>({
    maxTokens: max_tokens,
    temperature,
    topP: top_p,
    stopSequences: stop.length === 0 ? undefined : stop,
  })
  const toolConfig = encodeTools(request, warnings)
  const body = {
    messages: turns,
    ...(system.length === 0 ? {} : { system }),
    ...(Object.keys(inferenceConfig).length === 0 ? {} : { inferenceConfig }),
    ...(toolConfig === undefined ? {} : { toolConfig }),
  }
  return { body, warnings: warnings.entries }
}

const isInstruction = ({ role }: Message) => role === 'system' || role === 'developer'

function encodeSystem(messages: readonly Message[], warnings: Warnings): JsonObject[] {
  const first = messages.findIndex((message) => !isInstruction(message))
  if (first !== -1 && messages.slice(first).some(isInstruction)) warnings.add('system_position')
  return messages
    .filter(isInstruction)
    .map(({ parts }) => ({ text: textOf(parts, warnings) }))
    .filter(({ text }) => text.trim() !== '')
}

type Turn = { readonly role: 'user' | 'assistant'; readonly content: JsonObject[] }

/** Turns alternate and begin with the user's. */
function encodeTurns(messages: readonly Message[], warnings: Warnings): Turn[] {
  const turns: Turn[] = []
  for (const message of messages) {
    if (isInstruction(message)) continue
    if (message.name !== undefined) warnings.add('name')
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = encodeParts(message.parts, warnings)
    const last = turns.at(-1)
    if (last?.role === role) last.content.push(...content)
    else if (content.length > 0) turns.push({ role, content })
  }
  if (turns[0]?.role === 'user') return turns
  warnings.add('user_message_added')
  return [{ role: 'user', content: [{ text: '...' }] }, ...turns]
}

/** A conversation with calls must keep its tools; otherwise no tools is the way to forbid them. */
function encodeTools({ tools, tool_choice, messages, parallel_tool_calls }: ChatRequest, warnings: Warnings): JsonObject | undefined {
  const functions = tools.filter((tool): tool is FunctionTool => tool.kind === 'function')
  for (const { kind } of tools) if (kind !== 'function') warnings.add(kind)
  if (functions.length === 0) return undefined
  if (parallel_tool_calls === false) warnings.add('parallel_tool_calls')
  if (tool_choice?.kind === 'none') {
    if (!messages.some(({ parts }) => parts.some(({ kind }) => kind === 'tool-call'))) return undefined
    warnings.add('tool_choice')
  }
  const names = tool_choice?.kind === 'allowed' ? new Set(tool_choice.names) : undefined
  const allowed = names === undefined ? functions : functions.filter(({ name }) => names.has(name))
  const choice = encodeChoice(tool_choice)
  return { tools: allowed.map(encodeTool), ...(choice === undefined ? {} : { toolChoice: choice }) }
}

function encodeTool({ name, description, schema }: FunctionTool): JsonObject {
  return {
    toolSpec: {
      name,
      ...(description === undefined || description === '' ? {} : { description }),
      inputSchema: { json: schema ?? { type: 'object', properties: {} } },
    },
  }
}

function encodeChoice(choice: ChatRequest['tool_choice']): JsonObject | undefined {
  if (choice === undefined || choice.kind === 'none') return undefined
  if (choice.kind === 'tool') return { tool: { name: choice.name } }
  const mode = choice.kind === 'allowed' ? choice.mode : choice.kind
  return mode === 'required' ? { any: {} } : { auto: {} }
}
