import { cachedContentIn } from '../chat/formats/gemini/cached-content.ts'
import type { DecodedRequest, RouteFacts } from '../chat/model-request.ts'
import { listAt } from '../json.ts'

/** The request with what its route says of the client. */
export function withReader(decoded: DecodedRequest, { both_reasoning_fields }: RouteFacts): DecodedRequest {
  if (decoded.kind !== 'ok' || both_reasoning_fields === undefined) return decoded
  return { ...decoded, request: { ...decoded.request, both_reasoning_fields } }
}

/** Images in the answer cost more than text, so the hold must cover them: a model named for images, or OpenRouter's `modalities`. */
export function withImageAnswers(decoded: DecodedRequest): DecodedRequest {
  if (decoded.kind !== 'ok') return decoded
  const { request } = decoded
  if (!request.model.includes('image') && !listAt(request.body, 'modalities').includes('image')) return decoded
  return { ...decoded, request: { ...request, classes: { ...request.classes, image_out: true } } }
}

/** Names a cached prompt, whatever the format of the body. */
export function withCache(decoded: DecodedRequest): DecodedRequest {
  const cached_content = decoded.kind === 'ok' ? cachedContentIn(decoded.request.body) : undefined
  if (decoded.kind !== 'ok' || cached_content === undefined) return decoded
  return { ...decoded, request: { ...decoded.request, cached_content } }
}
