import { dialects } from '@tollgate/providers/dialects/index'
import { completions } from '@tollgate/providers/exchange/completions'
import { conversation } from '@tollgate/providers/exchange/conversation'
import { embeddings } from '@tollgate/providers/exchange/embeddings'
import { images } from '@tollgate/providers/exchange/images'
import { moderations } from '@tollgate/providers/exchange/moderations'
import { rerank } from '@tollgate/providers/exchange/rerank'

/** What the routes ask of the pipeline; each is one object for the life of the process. */
export const operations = {
  chat: conversation(dialects['openai-chat']),
  messages: conversation(dialects['anthropic-messages']),
  gemini: conversation(dialects.gemini),
  geminiArray: conversation(dialects.gemini, { frame: 'array' }),
  completions,
  embeddings,
  images,
  moderations,
  rerank,
} as const
