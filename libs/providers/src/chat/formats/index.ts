import type { ChatCodec } from '../codec.ts'
import type { ChatFormat } from '../request.ts'
import { anthropicMessages } from './anthropic-messages/index.ts'
import { gemini } from './gemini/index.ts'
import { openAiChat } from './openai-chat/index.ts'
import { openAiResponses } from './openai-responses/index.ts'

/** The chat formats that clients speak: the pipeline and the conformance suite read this list. */
export const chatCodecs = {
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  'anthropic-messages': anthropicMessages,
  gemini,
} as const satisfies Record<ChatFormat, ChatCodec>
