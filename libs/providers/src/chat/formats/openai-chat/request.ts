import { asksReasoning } from '../../asks-reasoning.ts'
import type { DecodedRequest, ModelRequest } from '../../model-request.ts'
import type { PassThroughInput } from '../../codec.ts'
import { tokenLimit } from '../../token-limit.ts'
import { splice, topLevelMembers, type Edit } from '../../../json-splice.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../../../json.ts'
import { findModelFault } from './field-faults.ts'
import { formatForVendor } from './grammar-format.ts'
import { promptOf } from './prompt.ts'
import { findFault } from './schema.ts'

/** Reads a parsed body. Unknown fields are ignored; a documented field of the wrong type is refused by name. */
export function decodeChatRequest(body: unknown): DecodedRequest {
  if (!isObject(body)) return { kind: 'invalid', code: 'request.invalid', detail: 'the body must be a JSON object' }
  const modelFault = findModelFault(body)
  if (modelFault !== undefined) return { kind: 'invalid', ...modelFault, field: 'model' }
  const model = textAt(body, 'model') ?? ''
  const found = findFault(body)
  if (found !== undefined) return { kind: 'invalid', code: 'request.field', ...found }
  const n = typeof body['n'] === 'number' ? body['n'] : 1
  const limit = tokenLimit(body['max_completion_tokens'], body['max_tokens'])
  return {
    kind: 'ok',
    request: {
      body,
      model,
      is_stream: body['stream'] === true,
      include_usage: objectAt(body, 'stream_options')['include_usage'] === true,
      ...(hasOwnStreamOptions(body) ? { has_own_stream_options: true } : {}),
      max_tokens: limit === undefined ? undefined : limit * n,
      n,
      reasoning_effort: textAt(body, 'reasoning_effort'),
      asks_reasoning: asksReasoning(body),
      has_tools: hasEntries(body['tools']) || hasEntries(body['functions']),
      ...promptOf(body, model),
      ...pricedIn(body, { model, n }),
    },
  }
}

/**
 * The body for upstream. The model name and `stream_options` are replaced inside the client's own bytes; everything else, unknown fields
 * and the spelling of numbers included, stays as received. A schema in Hugging Face's form is rewritten.
 */
export function encodeChatBody(input: PassThroughInput): Buffer {
  const { raw, body, upstream_model, param_override, patch } = input
  const asked = wantedStreamOptions(input)
  const format = formatForVendor(body['response_format'])
  const plain: JsonObject = {
    ...body,
    model: upstream_model,
    ...(asked === undefined ? {} : { stream_options: asked }),
    ...(format === undefined ? {} : { response_format: format }),
  }
  const patched = patch?.(plain) ?? plain
  const hasOverride = param_override !== undefined && Object.keys(param_override).length > 0
  if (patched !== plain || hasOverride) return Buffer.from(JSON.stringify({ ...patched, ...param_override }))
  if (format !== undefined) return Buffer.from(JSON.stringify(plain))
  const { open, members } = topLevelMembers(raw)
  const models = members.filter(({ name }) => name === 'model')
  const options = asked === undefined ? [] : members.filter(({ name }) => name === 'stream_options')
  if (models.length > 1 || options.length > 1) return Buffer.from(JSON.stringify(plain))
  const edits: Edit[] = []
  if (body['model'] !== upstream_model)
    for (const { start, end } of models) edits.push({ start, end, text: JSON.stringify(upstream_model) })
  for (const { start, end } of options) edits.push({ start, end, text: JSON.stringify(asked) })
  if (asked !== undefined && options.length === 0) {
    edits.push({ start: open + 1, end: open + 1, text: `"stream_options":${JSON.stringify(asked)},` })
  }
  return splice(raw, edits)
}

/** The required value of `stream_options`; absent if it can stay as it is. */
function wantedStreamOptions({ body, is_stream, supports_stream_options = true }: PassThroughInput): JsonObject | undefined {
  const given = objectAt(body, 'stream_options')
  if (!is_stream || !supports_stream_options || given['include_usage'] === true) return undefined
  return { ...given, include_usage: true }
}

function pricedIn(body: JsonObject, { model, n }: Pick<ModelRequest, 'model' | 'n'>): Pick<ModelRequest, 'priced'> {
  const search = searchOf(body, model)
  return n === 1 ? search : { priced: { ...search.priced, answers: n } }
}

function hasOwnStreamOptions({ stream_options }: JsonObject): boolean {
  if (stream_options === undefined || stream_options === null) return false
  return !isObject(stream_options) || Object.keys(stream_options).some((name) => name !== 'include_usage')
}

/** Search models search once per answer: https://platform.openai.com/docs/guides/tools-web-search?api-mode=chat */
function searchOf(body: JsonObject, model: string): Pick<ModelRequest, 'priced'> {
  const isSearchModel = model.endsWith('search-preview')
  if (!isSearchModel && !isObject(body['web_search_options'])) return {}
  const variant = textAt(objectAt(body, 'web_search_options'), 'search_context_size') ?? 'medium'
  return { priced: { tools: [{ name: 'web_search_preview', variant, ...(isSearchModel ? { at_least: 1, max_calls: 1 } : {}) }] } }
}

const hasEntries = (value: unknown) => Array.isArray(value) && value.length > 0
