import type { EncodeContext } from '../../chat/codec.ts'
import { withFormatInstruction } from '../../chat/format-instruction.ts'
import type { ChatRequest, FunctionTool, Message } from '../../chat/request.ts'
import type { JsonObject } from '../../json.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { Warnings } from '../../warnings.ts'
import { noteUncarried, textOf } from '../text-only.ts'
import { encodeParts, type PartContext } from './encode-parts.ts'
import { effortOf, makerOf, type Maker } from './makers.ts'

const CARRIED = ['max_tokens', 'temperature', 'top_p', 'top_k', 'stop', 'tools', 'thinking', 'format']

export function encodeChat(given: ChatRequest, { upstream_model }: EncodeContext): { body: JsonObject; warnings: readonly string[] } {
  const warnings = new Warnings()
  const maker = makerOf(upstream_model)
  const hasField = given.format?.kind === 'schema' && maker.hasSchemas === true
  const request = hasField ? given : withFormatInstruction(given, warnings)
  noteUncarried(request, CARRIED, warnings)
  const context = { warnings, hasCachePoints: maker.hasCachePoints === true }
  const turns = encodeTurns(request.messages, context)
  const system = encodeSystem(request.messages, context)
  const { max_tokens, temperature, top_p, stop } = request
  const inferenceConfig = omitUndefined<JsonObject>({
    maxTokens: max_tokens,
    temperature,
    topP: top_p,
    stopSequences: stop.length === 0 ? undefined : stop,
  })
  const toolConfig = encodeTools(request, maker, warnings)
  const body = {
    messages: turns,
    ...(system.length === 0 ? {} : { system }),
    ...(Object.keys(inferenceConfig).length === 0 ? {} : { inferenceConfig }),
    ...(toolConfig === undefined ? {} : { toolConfig }),
    ...encodeFormat(request),
    ...encodeMakersOwn(request, maker, warnings),
  }
  return { body, warnings: warnings.entries }
}

/** A schema binds the answer of models that support it; others get it as an instruction. */
function encodeFormat({ format }: ChatRequest): JsonObject {
  if (format?.kind !== 'schema') return {}
  const { name, description, schema } = format
  const jsonSchema = omitUndefined<JsonObject>({ schema: JSON.stringify(schema), name, description })
  return { outputConfig: { textFormat: { type: 'json_schema', structure: { jsonSchema } } } }
}

/** Fields that only some models have. */
function encodeMakersOwn({ top_k, thinking }: ChatRequest, maker: Maker, warnings: Warnings): JsonObject {
  const effort = thinking === undefined ? undefined : effortOf(thinking)
  if (top_k !== undefined && maker.topK === undefined) warnings.add('top_k')
  if (effort !== undefined && maker.thinking === undefined) warnings.add('thinking')
  const own = {
    ...(top_k === undefined ? {} : maker.topK?.(top_k)),
    ...(effort === undefined ? {} : maker.thinking?.(effort)),
  }
  return Object.keys(own).length === 0 ? {} : { additionalModelRequestFields: own }
}

const isInstruction = ({ role }: Message) => role === 'system' || role === 'developer'

function encodeSystem(messages: readonly Message[], context: PartContext): JsonObject[] {
  const { warnings } = context
  const first = messages.findIndex((message) => !isInstruction(message))
  if (first !== -1 && messages.slice(first).some(isInstruction)) warnings.add('system_position')
  return messages.filter(isInstruction).flatMap(({ parts }) => {
    const isCached = parts.some((part) => 'cache' in part)
    if (isCached && context.hasCachePoints) return encodeParts(parts, context)
    if (isCached) warnings.add('cache_control')
    const text = textOf(parts, warnings)
    return text.trim() === '' ? [] : [{ text }]
  })
}

type Turn = { readonly role: 'user' | 'assistant'; readonly content: JsonObject[] }

/** Turns alternate and begin with the user's. */
function encodeTurns(messages: readonly Message[], context: PartContext): Turn[] {
  const { warnings } = context
  const turns: Turn[] = []
  for (const message of messages) {
    if (isInstruction(message)) continue
    if (message.name !== undefined) warnings.add('name')
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = encodeParts(message.parts, context)
    const last = turns.at(-1)
    if (last?.role === role) last.content.push(...content)
    else if (content.length > 0) turns.push({ role, content })
  }
  if (turns[0]?.role === 'user') return turns
  warnings.add('user_message_added')
  return [{ role: 'user', content: [{ text: '...' }] }, ...turns]
}

/** A conversation with calls must keep its tools; otherwise no tools is the way to forbid them. */
function encodeTools(
  { tools, tool_choice, messages, parallel_tool_calls }: ChatRequest,
  maker: Maker,
  warnings: Warnings,
): JsonObject | undefined {
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
  if (allowed.some((tool) => 'cache' in tool)) warnings.add('cache_control of tools')
  const choice = encodeChoice(tool_choice)
  return { tools: allowed.map((tool) => encodeTool(tool, maker)), ...(choice === undefined ? {} : { toolChoice: choice }) }
}

/** `strict` is of the models that bind answers to a schema. */
function encodeTool({ name, description, schema, strict }: FunctionTool, { hasSchemas }: Maker): JsonObject {
  return {
    toolSpec: {
      name,
      ...(description === undefined || description === '' ? {} : { description }),
      inputSchema: { json: schema ?? { type: 'object', properties: {} } },
      ...(strict === true && hasSchemas === true ? { strict } : {}),
    },
  }
}

function encodeChoice(choice: ChatRequest['tool_choice']): JsonObject | undefined {
  if (choice === undefined || choice.kind === 'none' || choice.kind === 'hosted') return undefined
  if (choice.kind === 'tool') return { tool: { name: choice.name } }
  const mode = choice.kind === 'allowed' ? choice.mode : choice.kind
  return mode === 'required' ? { any: {} } : { auto: {} }
}
