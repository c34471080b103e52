import { chatCodecs } from '@tollgate/providers/chat/formats/index'
import { geminiInteractions } from '@tollgate/providers/chat/formats/gemini-interactions/index'
import { completions } from '@tollgate/providers/operations/completions'
import { chatOperation } from '@tollgate/providers/operations/chat'
import { statefulFields } from '@tollgate/providers/chat/formats/openai-responses/stateful'
import { cachedContentName } from '@tollgate/providers/chat/formats/gemini/cached-content'
import { cohereEmbed, cohereRerank } from '@tollgate/providers/operations/cohere-clients'
import { embeddings } from '@tollgate/providers/operations/embeddings'
import { geminiCaches } from '@tollgate/providers/operations/gemini-caches'
import { geminiEmbeddings } from '@tollgate/providers/operations/gemini-embeddings'
import { geminiPredict } from '@tollgate/providers/operations/gemini-predict'
import { imageEdits, jsonImageEdits } from '@tollgate/providers/operations/image-edits'
import { images } from '@tollgate/providers/operations/images'
import { mixedbreadRerank } from '@tollgate/providers/operations/mixedbread-rerank'
import { moderations } from '@tollgate/providers/operations/moderations'
import type { JsonObject } from '@tollgate/providers/json'
import { rerank } from '@tollgate/providers/operations/rerank'
import { speech } from '@tollgate/providers/operations/speech'
import { responseCompaction } from '@tollgate/providers/operations/response-compaction'
import { geminiTokenCount, messageTokenCount, responseTokenCount } from '@tollgate/providers/operations/token-count'
import { transcriptions, translations } from '@tollgate/providers/operations/transcriptions'

/** The operations of all routes; body workers find them by key. */
export const operations = {
  responses: chatOperation(chatCodecs['openai-responses'], { findObstacle: findStatefulObstacle }),
  chat: chatOperation(chatCodecs['openai-chat'], { findFault: findStored }),
  messages: chatOperation(chatCodecs['anthropic-messages']),
  gemini: chatOperation(chatCodecs.gemini, { findObstacle: findCachedContentObstacle }),
  interactions: {
    ...chatOperation(geminiInteractions, { isConverted: true, findObstacle: findCachedContentObstacle }),
    name: 'interactions',
  },
  geminiArray: chatOperation(chatCodecs.gemini, { frame: 'array', findObstacle: findCachedContentObstacle }),
  messageTokenCount,
  geminiTokenCount,
  responseTokenCount,
  responseCompaction,
  geminiPredict,
  geminiCaches,
  embedContent: geminiEmbeddings('embedContent'),
  batchEmbedContents: geminiEmbeddings('batchEmbedContents'),
  cohereEmbedV1: cohereEmbed(1),
  cohereEmbedV2: cohereEmbed(2),
  cohereRerank,
  mixedbreadRerank,
  completions,
  embeddings,
  imageEdits,
  jsonImageEdits,
  images,
  moderations,
  rerank,
  speech,
  transcriptions,
  translations,
} as const

/** Fields that refer to state which only a vendor of the same format stores. */
function findStatefulObstacle(body: JsonObject): string | undefined {
  const fields = statefulFields(body)
  return fields.length === 0 ? undefined : `responses to chat conversion does not support stateful fields: ${fields.join(', ')}`
}

/** The vendor would store the completion in the operator's account, where the client cannot read it. */
function findStored({ store }: JsonObject) {
  if (store !== true) return undefined
  return { field: 'store', detail: 'chat completions are not stored: leave store out, or use /v1/responses, whose responses are kept' }
}

function findCachedContentObstacle(body: JsonObject): string | undefined {
  return cachedContentName(body) === undefined ? undefined : 'only a channel of Gemini itself can answer with cachedContent'
}
