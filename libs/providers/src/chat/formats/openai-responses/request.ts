import { asksReasoning } from '../../asks-reasoning.ts'
import type { DecodedRequest } from '../../model-request.ts'
import type { PassThroughInput } from '../../codec.ts'
import { tokenLimit } from '../../token-limit.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../../../json.ts'
import { findModelFault } from '../openai-chat/field-faults.ts'
import { encodeChatBody } from '../openai-chat/request.ts'
import { declaredTools } from './declared-tools.ts'
import { vendorToolsIn } from './vendor-tools.ts'
import { promptOf } from './prompt.ts'
import { findFault } from './schema.ts'
import { stateOf, withoutOwnIds } from './state.ts'

/** Reads a parsed body. Unknown fields are ignored; a documented field of the wrong type is refused by name. */
export function decodeResponsesRequest(body: unknown): DecodedRequest {
  if (!isObject(body)) return { kind: 'invalid', code: 'request.invalid', detail: 'the body must be a JSON object' }
  const modelFault = findModelFault(body)
  if (modelFault !== undefined) return { kind: 'invalid', ...modelFault, field: 'model' }
  const found = findFault(body)
  if (found !== undefined) return { kind: 'invalid', code: 'request.field', ...found }
  return {
    kind: 'ok',
    request: {
      body,
      model: textAt(body, 'model') ?? '',
      is_stream: body['stream'] === true,
      include_usage: true,
      max_tokens: tokenLimit(body['max_output_tokens']),
      n: 1,
      reasoning_effort: textAt(objectAt(body, 'reasoning'), 'effort'),
      asks_reasoning: asksReasoning(body),
      has_tools: declaredTools(body).length > 0,
      ...promptOf(body),
      ...vendorToolsIn(body),
      state: stateOf(body),
    },
  }
}

/** The body for upstream: the client's bytes with the model name replaced. The format always reports usage. */
export function encodeResponsesBody({ state, patch, ...input }: PassThroughInput): Buffer {
  const patched = state?.has_own_items === true ? (body: JsonObject) => withoutOwnIds(patch?.(body) ?? body) : patch
  return encodeChatBody({ ...input, supports_stream_options: false, patch: patched })
}
