import { textOf } from '@tollgate/contracts/app-error'
import { asksReasoning } from '../../asks-reasoning.ts'
import type { DecodedRequest, RouteFacts } from '../../model-request.ts'
import type { PassThroughInput } from '../../codec.ts'
import { tokenLimit } from '../../token-limit.ts'
import { isObject, type JsonObject } from '../../../json.ts'
import { listField, numberField, objectField, textField } from './fields.ts'
import { promptOf, type PromptFacts } from './prompt.ts'
import { findFault } from './schema.ts'
import { MARK } from './signature.ts'

/**
 * Reads a parsed body; model and streaming come from the path. Unknown fields are ignored; a documented field of the wrong type is
 * refused by name. https://ai.google.dev/api/generate-content
 */
export function decodeGeminiRequest(body: unknown, route: RouteFacts): DecodedRequest {
  if (!isObject(body)) return { kind: 'invalid', code: 'request.invalid', detail: 'the body must be a JSON object' }
  const model = modelIn(route)
  if (model === undefined) return { kind: 'invalid', code: 'model.missing', detail: textOf('model.missing', 'en'), field: 'model' }
  const found = findFault(body)
  if (found !== undefined) return { kind: 'invalid', code: 'request.field', ...found }
  const config = objectField(body, 'generationConfig')
  const n = Math.max(numberField(config, 'candidateCount') ?? 1, 1)
  const limit = tokenLimit(numberField(config, 'maxOutputTokens'))
  return {
    kind: 'ok',
    request: {
      body,
      model,
      is_stream: route.is_stream === true,
      include_usage: true,
      max_tokens: limit === undefined ? undefined : limit * n,
      n,
      reasoning_effort: textField(objectField(config, 'thinkingConfig'), 'thinkingLevel')?.toLowerCase(),
      asks_reasoning: asksReasoning(body),
      has_tools: listField(body, 'tools').length > 0,
      ...withAnswers(promptOf(body, model), n),
    },
  }
}

function withAnswers(facts: PromptFacts, n: number): PromptFacts {
  return n === 1 ? facts : { ...facts, priced: { ...facts.priced, answers: n } }
}

/** The model of the path, with or without `models/` before it. */
export function modelIn({ model }: RouteFacts): string | undefined {
  const name = model?.replace(/^models\//, '')
  return name === '' ? undefined : name
}

/** The body for upstream: the client's own bytes, because the model is in the path, with the channel's overrides. */
export function encodeGeminiBody({ raw, body, param_override, patch }: PassThroughInput): Buffer {
  const signed = raw.includes(MARK) ? withoutOtherProofs(body) : body
  const patched: JsonObject = patch?.(signed) ?? signed
  const hasOverride = param_override !== undefined && Object.keys(param_override).length > 0
  return patched === body && !hasOverride ? raw : Buffer.from(JSON.stringify({ ...patched, ...param_override }))
}

/** Removes signatures of other vendors, which Google refuses, and parts that have nothing else. */
function withoutOtherProofs(body: JsonObject): JsonObject {
  const contents = listField(body, 'contents').map((content) => {
    if (!isObject(content)) return content
    const parts = listField(content, 'parts').flatMap((part) => (isObject(part) ? withoutOtherProof(part) : [part]))
    return { ...content, parts }
  })
  return { ...body, contents: contents.filter((content) => listField(content, 'parts').length > 0) }
}

function withoutOtherProof(part: JsonObject): JsonObject[] {
  const signature = textField(part, 'thoughtSignature')
  if (signature === undefined || !signature.startsWith(MARK)) return [part]
  const { thoughtSignature: _camel, thought_signature: _snake, ...rest } = part
  return rest['text'] === '' ? [] : [rest]
}
