/**
 * How a call is answered.
 * `converts`: by any vendor's channel that has the ability; where the vendor speaks the same format, it passes.
 * `passes`: by channels whose vendor has this API.
 * `answers`: by the gateway itself.
 */
export type Answered = 'converts' | 'passes' | 'answers'

type Rule = readonly [method: string, path: string, answered: Answered]

/** The calls that are offered; all others are refused in the format of their client. A part in braces is any text. */
export const OFFERED: readonly Rule[] = [
  ['POST', '/v1/chat/completions', 'converts'],
  ['POST', '/v1/completions', 'converts'],
  ['POST', '/v1/embeddings', 'converts'],
  ['POST', '/v1/moderations', 'passes'],
  ['POST', '/v1/images/generations', 'converts'],
  ['POST', '/v1/images/edits', 'converts'],
  ['POST', '/v1/audio/speech', 'converts'],
  ['POST', '/v1/audio/transcriptions', 'converts'],
  ['POST', '/v1/audio/translations', 'converts'],
  ['POST', '/v1/responses', 'converts'],
  ['WebSocket', '/v1/responses', 'converts'],
  ['POST', '/v1/responses/input_tokens', 'converts'],
  ['POST', '/v1/responses/compact', 'passes'],
  ['GET', '/v1/responses/{id}', 'answers'],
  ['DELETE', '/v1/responses/{id}', 'answers'],
  ['POST', '/v1/responses/{id}/cancel', 'answers'],
  ['GET', '/v1/responses/{id}/input_items', 'answers'],
  ['POST', '/v1/conversations', 'answers'],
  ['GET', '/v1/conversations/{id}', 'answers'],
  ['POST', '/v1/conversations/{id}', 'answers'],
  ['DELETE', '/v1/conversations/{id}', 'answers'],
  ['GET', '/v1/conversations/{id}/items', 'answers'],
  ['POST', '/v1/conversations/{id}/items', 'answers'],
  ['GET', '/v1/conversations/{id}/items/{item}', 'answers'],
  ['DELETE', '/v1/conversations/{id}/items/{item}', 'answers'],
  ['GET', '/v1/models', 'answers'],
  ['GET', '/v1/models/{model}', 'answers'],
  ['POST', '/v1/files', 'answers'],
  ['GET', '/v1/files', 'answers'],
  ['GET', '/v1/files/{id}', 'answers'],
  ['DELETE', '/v1/files/{id}', 'answers'],
  ['GET', '/v1/files/{id}/content', 'answers'],
  ['GET', '/{version}/files', 'answers'],
  ['GET', '/{version}/files/{id}', 'answers'],
  ['DELETE', '/{version}/files/{id}', 'answers'],
  ['POST', '/upload/{version}/files', 'answers'],
  ['POST', '/v1/uploads', 'answers'],
  ['POST', '/v1/uploads/{id}/parts', 'answers'],
  ['POST', '/v1/uploads/{id}/complete', 'answers'],
  ['POST', '/v1/uploads/{id}/cancel', 'answers'],
  ['POST', '/v1/batches', 'answers'],
  ['GET', '/v1/batches', 'answers'],
  ['GET', '/v1/batches/{id}', 'answers'],
  ['POST', '/v1/batches/{id}/cancel', 'answers'],
  ['WebSocket', '/v1/realtime', 'passes'],
  ['POST', '/v1/realtime/client_secrets', 'answers'],
  ['POST', '/v1/videos', 'converts'],
  ['GET', '/v1/videos', 'answers'],
  ['GET', '/v1/videos/{id}', 'answers'],
  ['DELETE', '/v1/videos/{id}', 'answers'],
  ['GET', '/v1/videos/{id}/content', 'answers'],
  ['POST', '/v1/videos/{id}/remix', 'passes'],
  ['POST', '/v1/messages', 'converts'],
  ['POST', '/v1/messages/count_tokens', 'converts'],
  ['POST', '/v1/messages/batches', 'answers'],
  ['GET', '/v1/messages/batches', 'answers'],
  ['GET', '/v1/messages/batches/{id}', 'answers'],
  ['DELETE', '/v1/messages/batches/{id}', 'answers'],
  ['POST', '/v1/messages/batches/{id}/cancel', 'answers'],
  ['GET', '/v1/messages/batches/{id}/results', 'answers'],
  ['HEAD', '/api/hello', 'answers'],
  ['GET', '/{version}/models', 'answers'],
  ['GET', '/{version}/models/{model}', 'answers'],
  ['POST', '/{version}/models/{model}:generateContent', 'converts'],
  ['POST', '/{version}/models/{model}:streamGenerateContent', 'converts'],
  ['WebSocket', '/ws/google.ai.generativelanguage.{version}.GenerativeService.BidiGenerateContent', 'passes'],
  ['POST', '/{version}/auth_tokens', 'answers'],
  ['POST', '/{version}/models/{model}:batchGenerateContent', 'answers'],
  ['POST', '/{version}/models/{model}:asyncBatchEmbedContent', 'answers'],
  ['GET', '/{version}/batches', 'answers'],
  ['GET', '/{version}/batches/{id}', 'answers'],
  ['DELETE', '/{version}/batches/{id}', 'answers'],
  ['POST', '/{version}/batches/{id}:cancel', 'answers'],
  ['POST', '/{version}/cachedContents', 'passes'],
  ['GET', '/{version}/cachedContents', 'answers'],
  ['GET', '/{version}/cachedContents/{id}', 'answers'],
  ['PATCH', '/{version}/cachedContents/{id}', 'answers'],
  ['DELETE', '/{version}/cachedContents/{id}', 'answers'],
  ['POST', '/{version}/interactions', 'converts'],
  ['GET', '/{version}/interactions/{id}', 'answers'],
  ['DELETE', '/{version}/interactions/{id}', 'answers'],
  ['POST', '/{version}/interactions/{id}/cancel', 'answers'],
  ['POST', '/{version}/models/{model}:predict', 'converts'],
  ['POST', '/{version}/models/{model}:predictLongRunning', 'converts'],
  ['GET', '/{version}/models/{model}/operations/{operation}', 'answers'],
  ['POST', '/{version}/models/{model}:countTokens', 'converts'],
  ['POST', '/{version}/models/{model}:embedContent', 'converts'],
  ['POST', '/{version}/models/{model}:batchEmbedContents', 'converts'],
]

/** How a call is answered; undefined: it is not offered. */
export function answerOf({ method, path }: { readonly method: string; readonly path: string }): Answered | undefined {
  const shape = shapeOf(path)
  return OFFERED.find(([offered, at]) => offered === method && shapeOf(at) === shape)?.[2]
}

/** A path without the names of its parameters. */
export const shapeOf = (path: string): string => path.replaceAll(/\{(?!version)\w+\}/g, '{}')
