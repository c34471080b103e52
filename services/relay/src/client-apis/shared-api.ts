import type { IncomingMessage } from 'node:http'
import { anthropicApi } from './anthropic/client-api.ts'
import { isAnthropicCall } from './anthropic/models.ts'
import type { ClientApi } from '../request/client-api.ts'
import { geminiApiOf } from './gemini/client-api.ts'
import { isGeminiCall } from './gemini/routes.ts'
import { openAiApi } from './openai/client-api.ts'

/** The client API of a path that several of them have, by what the client sends of itself. */
export function sharedApiOf(incoming: IncomingMessage): ClientApi {
  if (isAnthropicCall(incoming.headers)) return anthropicApi
  return isGeminiCall(incoming.headers) ? geminiApiOf(incoming) : openAiApi
}
