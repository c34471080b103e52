import type { EncodeContext } from '../../codec.ts'
import type { FunctionTool, ChatRequest, OutputFormat, Thinking, Tool, WebSearchTool } from '../../request.ts'
import { objectAt, type JsonObject } from '../../../json.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { Warnings } from '../../../warnings.ts'
import type { PartContext } from '../openai-chat/encode-parts.ts'
import { chooseEffort, encodeUser, withoutRefused } from '../openai-chat/encode-request.ts'
import { effortsOf } from '../openai-chat/model-rules.ts'
import { fromChatCustom } from './decode-tools.ts'
import { encodeItems } from './encode-items.ts'

/**
 * Encodes a conversation as a Responses body. The vendor stores nothing (`store: false`); reasoning is returned encrypted, so that the
 * next turn can include it. Fields: https://developers.openai.com/api/reference/resources/responses/methods/create
 */
export function encodeResponsesConversation(
  request: ChatRequest,
  context: EncodeContext,
): { body: JsonObject; warnings: readonly string[] } {
  const warnings = new Warnings()
  const model = context.upstream_model
  const own = { model, warnings }
  noteUnsayable(request, warnings)
  const { include, reasoning: kept, ...vendorSpecific } = encodeVendorSpecific(request, warnings)
  const thinking = encodeThinking(request.thinking, context, warnings)
  const reasoning = { ...thinking, ...objectAt({ kept }, 'kept') }
  const wanted = [...(Array.isArray(include) ? include : []), ...implied(request, thinking)]
  const body = {
    model,
    ...encodeItems(request, own),
    ...encodeTools(request, own),
    ...encodeSettings(request, context, warnings),
    ...encodeText(request),
    ...(Object.keys(reasoning).length === 0 ? {} : { reasoning }),
    ...(wanted.length === 0 ? {} : { include: wanted }),
    store: false,
    ...vendorSpecific,
    ...(context.is_stream ? { stream: true } : {}),
  }
  return { body, warnings: warnings.entries }
}

function noteUnsayable(request: ChatRequest, warnings: Warnings): void {
  const { n = 1, stop, seed, frequency_penalty, presence_penalty, top_k, modalities = [] } = request
  if (n > 1) warnings.add('n')
  if (stop.length > 0) warnings.add('stop')
  for (const [name, value] of Object.entries({ seed, frequency_penalty, presence_penalty, top_k }))
    if (value !== undefined) warnings.add(name)
  for (const modality of modalities) if (modality !== 'text') warnings.add(`modality ${modality}`)
}

function encodeSettings(request: ChatRequest, context: EncodeContext, warnings: Warnings): JsonObject {
  const { max_tokens, temperature, top_p, top_logprobs, metadata, service_tier } = request
  const isKnownTier = service_tier !== undefined && TIERS.has(service_tier)
  if (service_tier !== undefined && !isKnownTier) warnings.add('service_tier')
  // The API's minimum: https://developers.openai.com/api/reference/resources/responses/methods/create
  const limit = max_tokens === undefined ? {} : { max_output_tokens: Math.max(max_tokens, MIN_OUTPUT_TOKENS) }
  return {
    ...limit,
    ...withoutRefused(omitUndefined<JsonObject>({ temperature, top_p, top_logprobs }), context, warnings),
    ...encodeUser(request, context, warnings),
    ...(metadata === undefined ? {} : { metadata }),
    ...(isKnownTier ? { service_tier } : {}),
  }
}

const MIN_OUTPUT_TOKENS = 16
const TIERS = new Set(['auto', 'default', 'flex', 'scale', 'priority', 'fast'])

function encodeThinking(thinking: Thinking | undefined, context: EncodeContext, warnings: Warnings): JsonObject {
  const effort = chooseEffort(thinking, context, warnings)
  const asked = effort === undefined ? {} : { effort }
  if (thinking === undefined || thinking.mode === 'off' || effortsOf(context.upstream_model, context).length === 0) return asked
  return { ...asked, ...(thinking.is_shown === false ? {} : { summary: 'auto' }) }
}

/** Fields that every translation needs. */
function implied({ thinking, top_logprobs }: ChatRequest, encoded: JsonObject): string[] {
  const thinks = thinking !== undefined && thinking.mode !== 'off' && Object.keys(encoded).length > 0
  return [...(thinks ? ['reasoning.encrypted_content'] : []), ...(top_logprobs === undefined ? [] : ['message.output_text.logprobs'])]
}

function encodeText({ format, verbosity }: ChatRequest): JsonObject {
  if (format === undefined && verbosity === undefined) return {}
  return { text: { ...(format === undefined ? {} : { format: encodeFormat(format) }), ...(verbosity === undefined ? {} : { verbosity }) } }
}

function encodeFormat(format: OutputFormat): JsonObject {
  if (format.kind === 'schema') {
    const { kind: _kind, ...schema } = format
    return { type: 'json_schema', ...schema }
  }
  return { type: format.kind === 'json' ? 'json_object' : 'text' }
}

/** https://developers.openai.com/api/reference/resources/responses/methods/create */
const HOSTED = { 'web-search': 'web_search', 'code-execution': 'code_interpreter' } as const

function encodeTools({ tools, tool_choice, parallel_tool_calls }: ChatRequest, context: PartContext): JsonObject {
  const encoded = tools.map((tool) => encodeTool(tool, context)).filter((tool) => tool !== undefined)
  if (encoded.length === 0) return {}
  const custom = new Set(tools.flatMap((tool) => (tool.kind === 'function' && tool.custom !== undefined ? tool.name : [])))
  const named = (name: string) => ({ type: custom.has(name) ? 'custom' : 'function', name })
  const choice = () => {
    if (tool_choice === undefined) return {}
    if (tool_choice.kind === 'tool') return { tool_choice: named(tool_choice.name) }
    if (tool_choice.kind === 'hosted') return { tool_choice: { type: HOSTED[tool_choice.tool] } }
    if (tool_choice.kind !== 'allowed') return { tool_choice: tool_choice.kind }
    return { tool_choice: { type: 'allowed_tools', mode: tool_choice.mode, tools: tool_choice.names.map(named) } }
  }
  return { tools: encoded, ...choice(), ...(parallel_tool_calls === undefined ? {} : { parallel_tool_calls }) }
}

function encodeTool(tool: Tool, { warnings }: PartContext): JsonObject | undefined {
  switch (tool.kind) {
    case 'function':
      if (tool.cache !== undefined) warnings.add('cache mark of a tool')
      return tool.custom === undefined ? encodeFunction(tool) : fromChatCustom(tool.custom)
    case 'web-search':
      return encodeSearch(tool, warnings)
    case 'code-execution':
      return { type: 'code_interpreter', container: { type: 'auto' } }
    case 'vendor-specific':
      if (tool.by === 'openai-responses') return tool.raw
      warnings.add(`tool ${tool.type}`)
      return undefined
  }
}

/** In other formats an absent `strict` means false, in this one it means true. */
function encodeFunction({ name, description, schema, strict = false }: FunctionTool): JsonObject {
  const parameters = schema ?? { type: 'object', properties: {} }
  return { type: 'function', name, ...(description === undefined ? {} : { description }), parameters, strict }
}

function encodeSearch(
  { context_size, location, allowed_domains, blocked_domains, max_uses }: WebSearchTool,
  warnings: Warnings,
): JsonObject {
  if (max_uses !== undefined) warnings.add('web search: max_uses')
  if (blocked_domains !== undefined) warnings.add('web search: blocked domains')
  return {
    type: 'web_search',
    ...(context_size === undefined ? {} : { search_context_size: context_size }),
    ...(allowed_domains === undefined ? {} : { filters: { allowed_domains } }),
    ...(location === undefined ? {} : { user_location: { type: 'approximate', ...location } }),
  }
}

/** Fields that both of OpenAI's formats have, with the same name and meaning. */
const SHARED = new Set(['prompt_cache_key', 'prompt_cache_retention', 'prompt_cache_options', 'safety_identifier', 'moderation'])

function encodeVendorSpecific({ vendorSpecific }: ChatRequest, warnings: Warnings): JsonObject {
  if (vendorSpecific === undefined || vendorSpecific.by === 'openai-responses') return vendorSpecific?.fields ?? {}
  const isShared = (field: string) => vendorSpecific.by === 'openai-chat' && SHARED.has(field)
  for (const field of Object.keys(vendorSpecific.fields)) if (!isShared(field)) warnings.add(field)
  return Object.fromEntries(Object.entries(vendorSpecific.fields).filter(([field]) => isShared(field)))
}
