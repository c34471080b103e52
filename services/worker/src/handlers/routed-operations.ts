import type { RoutedCall } from '@tollgate/contracts/channels/routed-calls'
import type { RoutingQuestion } from '@tollgate/contracts/channels/routing-forecast'
import { chatCodecs } from '@tollgate/providers/chat/formats/index'
import type { JsonObject } from '@tollgate/providers/json'
import type { ApiFormat } from '@tollgate/providers/calls/api-format'
import { chatOperation } from '@tollgate/providers/operations/chat'
import { completions } from '@tollgate/providers/operations/completions'
import { embeddings } from '@tollgate/providers/operations/embeddings'
import { geminiEmbeddings } from '@tollgate/providers/operations/gemini-embeddings'
import { imageEdits, jsonImageEdits } from '@tollgate/providers/operations/image-edits'
import { images } from '@tollgate/providers/operations/images'
import { moderations } from '@tollgate/providers/operations/moderations'
import type { Operation } from '@tollgate/providers/calls/operation'
import { rerank } from '@tollgate/providers/operations/rerank'
import { speech } from '@tollgate/providers/operations/speech'
import { transcriptions } from '@tollgate/providers/operations/transcriptions'

type Call = { readonly operation: Operation; readonly body: JsonObject }

const MESSAGES = [{ role: 'user', content: 'hi' }]

/** The relay's operations, each with the shortest body that it accepts. Those with files choose a format without their body. */
const CALLS: Readonly<Record<RoutedCall, Call>> = {
  'openai-chat': { operation: chatOperation(chatCodecs['openai-chat']), body: { messages: MESSAGES } },
  'openai-responses': { operation: chatOperation(chatCodecs['openai-responses']), body: { input: 'hi' } },
  'anthropic-messages': { operation: chatOperation(chatCodecs['anthropic-messages']), body: { max_tokens: 1, messages: MESSAGES } },
  gemini: { operation: chatOperation(chatCodecs.gemini), body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] } },
  'openai-completions': { operation: completions, body: { prompt: 'hi' } },
  'openai-embeddings': { operation: embeddings, body: { input: 'hi' } },
  'gemini-embeddings': { operation: geminiEmbeddings('embedContent'), body: { content: { parts: [{ text: 'hi' }] } } },
  'openai-images': { operation: images, body: { prompt: 'hi' } },
  'openai-image-edits': { operation: imageEdits, body: {} },
  'openai-image-edits-json': { operation: jsonImageEdits, body: { prompt: 'hi', images: [{ image_url: 'https://example.com/a.png' }] } },
  'openai-speech': { operation: speech, body: { input: 'hi', voice: 'alloy' } },
  'openai-transcriptions': { operation: transcriptions, body: {} },
  'openai-moderations': { operation: moderations, body: { input: 'hi' } },
  rerank: { operation: rerank, body: { query: 'hi', documents: ['hi'] } },
}

/** True if another model of a chain could answer such a call. */
export const canFallBack = ({ call }: Pick<RoutingQuestion, 'call'>): boolean => CALLS[call].operation.canFallBack === true

/** The format, out of those a vendor supports, in which the relay would send such a call. */
export function formatFor({
  call,
  model,
}: Pick<RoutingQuestion, 'call' | 'model'>): (formats: readonly ApiFormat[]) => ApiFormat | undefined {
  const { operation, body } = CALLS[call]
  const named = operation.body === 'json' ? { model, ...body } : { model, ...CALLS['openai-images'].body }
  const reader = operation.body === 'json' ? operation : images
  const read = reader.readRequest(named, { model })
  if (read.kind === 'invalid') return () => undefined
  return (formats) => operation.formatFor(formats, read.request)
}
