import { dialects } from '@tollgate/providers/dialects/index'
import { completions } from '@tollgate/providers/exchange/completions'
import { conversation } from '@tollgate/providers/exchange/conversation'
import { statefulFields } from '@tollgate/providers/dialects/openai-responses/stateful'
import { keptContent } from '@tollgate/providers/dialects/gemini/kept-content'
import { embeddings } from '@tollgate/providers/exchange/embeddings'
import { geminiEmbeddings } from '@tollgate/providers/exchange/gemini-embeddings'
import { imageEdits } from '@tollgate/providers/exchange/image-edits'
import { images } from '@tollgate/providers/exchange/images'
import { moderations } from '@tollgate/providers/exchange/moderations'
import type { JsonObject } from '@tollgate/providers/json'
import { rerank } from '@tollgate/providers/exchange/rerank'
import { speech } from '@tollgate/providers/exchange/speech'
import { geminiTokenCount, messageTokenCount } from '@tollgate/providers/exchange/token-count'
import { transcriptions, translations } from '@tollgate/providers/exchange/transcriptions'

/** What the routes ask of the pipeline; each is one object for the life of the process. */
export const operations = {
  responses: conversation(dialects['openai-responses'], { findObstacle: findStatefulObstacle }),
  chat: conversation(dialects['openai-chat']),
  messages: conversation(dialects['anthropic-messages']),
  gemini: conversation(dialects.gemini, { findObstacle: findKeptObstacle }),
  geminiArray: conversation(dialects.gemini, { frame: 'array', findObstacle: findKeptObstacle }),
  messageTokenCount,
  geminiTokenCount,
  embedContent: geminiEmbeddings('embedContent'),
  batchEmbedContents: geminiEmbeddings('batchEmbedContents'),
  completions,
  embeddings,
  imageEdits,
  images,
  moderations,
  rerank,
  speech,
  transcriptions,
  translations,
} as const

/** The client refers to what only the vendor of the same format keeps. */
function findStatefulObstacle(body: JsonObject): string | undefined {
  const fields = statefulFields(body)
  return fields.length === 0 ? undefined : `responses to chat conversion does not support stateful fields: ${fields.join(', ')}`
}

function findKeptObstacle(body: JsonObject): string | undefined {
  return keptContent(body) === undefined ? undefined : 'only a channel of Gemini itself can answer with cachedContent'
}
