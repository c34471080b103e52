import { asksReasoning } from '../../asks-reasoning.ts'
import type { DecodedRequest, ModelRequest, RouteFacts } from '../../model-request.ts'
import type { PassThroughInput } from '../../codec.ts'
import { tokenLimit } from '../../token-limit.ts'
import { splice, topLevelMembers } from '../../../json-splice.ts'
import { isWrapped } from '../../proof.ts'
import { isObject, listAt, objectAt, textAt, type JsonObject } from '../../../json.ts'
import { promptOf } from './prompt.ts'
import { findFault } from './schema.ts'
import { findVersionFault } from './version.ts'

/** Reads a parsed body of `/v1/messages`. Unknown fields are ignored; a documented field of the wrong type is refused by name. */
export function decodeRequest(body: unknown, route?: RouteFacts): DecodedRequest {
  return decode(body, true, route)
}

/** The same for `/v1/messages/count_tokens`, which has no `max_tokens`: https://platform.claude.com/docs/en/api/messages/count_tokens */
export function decodeTokenCountRequest(body: unknown, route?: RouteFacts): DecodedRequest {
  return decode(body, false, route)
}

/**
 * The body for upstream: the client's own bytes with the model name replaced in place. Thinking blocks of other vendors (see `writer.ts`)
 * are removed, because Anthropic refuses them.
 */
export function encodePassThrough({ raw, body, upstream_model, param_override, patch }: PassThroughInput): Buffer {
  const named: JsonObject = body['model'] === upstream_model ? body : { ...body, model: upstream_model }
  const signed = raw.includes(THINKING) ? withoutOtherThinking(named) : named
  const patched = patch?.(signed) ?? signed
  const hasOverride = param_override !== undefined && Object.keys(param_override).length > 0
  if (patched !== named || hasOverride) return Buffer.from(JSON.stringify({ ...patched, ...param_override }))
  if (named === body) return raw
  const spans = topLevelMembers(raw).members.filter(({ name }) => name === 'model')
  const [span] = spans
  if (span === undefined || spans.length > 1) return Buffer.from(JSON.stringify(named))
  return splice(raw, [{ start: span.start, end: span.end, text: JSON.stringify(upstream_model) }])
}

function decode(body: unknown, needsMaxTokens: boolean, route: RouteFacts | undefined): DecodedRequest {
  if (!isObject(body)) return { kind: 'invalid', code: 'request.invalid', detail: 'the body must be a JSON object' }
  const { model, tools } = body
  if (model === undefined || model === null || model === '')
    return { kind: 'invalid', code: 'model.missing', detail: 'field model is required', field: 'model' }
  if (typeof model !== 'string') return { kind: 'invalid', code: 'request.field', detail: 'field model must be a string', field: 'model' }
  const found = findFault(body, needsMaxTokens) ?? findVersionFault(body, route?.api_version)
  if (found !== undefined) return { kind: 'invalid', code: 'request.field', ...found }
  return {
    kind: 'ok',
    request: {
      body,
      model,
      is_stream: body['stream'] === true,
      include_usage: true,
      max_tokens: tokenLimit(body['max_tokens']),
      n: 1,
      reasoning_effort: textAt(objectAt(body, 'output_config'), 'effort'),
      asks_reasoning: asksReasoning(body),
      has_tools: Array.isArray(tools) && tools.length > 0,
      ...promptOf(body),
      ...searchesOf(tools),
      ...threadOf(body),
      ...containerOf(body),
    },
  }
}

function threadOf({ thread }: JsonObject): Pick<ModelRequest, 'thread'> {
  if (!isObject(thread)) return {}
  const previous_message_id = textAt(thread, 'previous_message_id')
  return { thread: thread['type'] === 'continue' && previous_message_id !== undefined ? { previous_message_id } : {} }
}

/** https://platform.claude.com/docs/en/agents-and-tools/tool-use/code-execution-tool#container-reuse */
function containerOf({ container, tools }: JsonObject): Pick<ModelRequest, 'container'> {
  const id = typeof container === 'string' ? container : textAt(container, 'id')
  if (id !== undefined && id !== '') return { container: { id } }
  const runsCode = Array.isArray(tools) && tools.some((tool) => textAt(tool, 'type')?.startsWith('code_execution_') === true)
  return isObject(container) || runsCode ? { container: {} } : {}
}

/** Searches are charged per call: https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool#usage-and-pricing */
function searchesOf(tools: unknown): Pick<ModelRequest, 'priced'> {
  const search = Array.isArray(tools) ? tools.find((tool) => textAt(tool, 'type')?.startsWith('web_search_') === true) : undefined
  if (!isObject(search)) return {}
  const { max_uses } = search
  return { priced: { tools: [{ name: 'web_search', ...(typeof max_uses === 'number' && max_uses > 0 ? { max_calls: max_uses } : {}) }] } }
}

const THINKING = Buffer.from('thinking"')

/** Returns the same object if there are none. */
function withoutOtherThinking(body: JsonObject): JsonObject {
  const { messages } = body
  if (!Array.isArray(messages)) return body
  let isChanged = false
  const kept = messages.map((message: unknown) => {
    const content = isObject(message) && message['role'] === 'assistant' ? message['content'] : undefined
    if (!isObject(message) || !Array.isArray(content) || !content.some(isOtherThinking)) return message
    isChanged = true
    return { ...message, content: content.filter((block) => !isOtherThinking(block)) }
  })
  if (!isChanged) return body
  const { thinking, ...rest } = body
  const isRefused = textAt(thinking, 'type') === 'enabled' && endsInUnsignedCall(kept)
  return { ...(isRefused ? rest : body), messages: kept.filter((message) => !isEmptied(message)) }
}

/** Thinking that Anthropic did not sign. */
function isOtherThinking(block: unknown): boolean {
  const type = textAt(block, 'type')
  if (type === 'redacted_thinking') return isWrapped(textAt(block, 'data'))
  const signature = textAt(block, 'signature')
  return type === 'thinking' && (signature === undefined || isWrapped(signature))
}

/**
 * A turn that calls tools must begin with its thinking while thinking by budget is on:
 * https://platform.claude.com/docs/en/build-with-claude/extended-thinking#extended-thinking-with-tool-use
 */
function endsInUnsignedCall(messages: readonly unknown[]): boolean {
  const blocks = listAt(
    messages.findLast((message) => textAt(message, 'role') === 'assistant'),
    'content',
  )
  const first = textAt(blocks[0], 'type')
  const isCall = blocks.some((block) => textAt(block, 'type') === 'tool_use')
  return isCall && first !== 'thinking' && first !== 'redacted_thinking'
}

const isEmptied = (message: unknown) => isObject(message) && Array.isArray(message['content']) && message['content'].length === 0
