import type { IncomingMessage } from 'node:http'
import type { RouteFacts } from '@tollgate/providers/chat/model-request'

/**
 * Clients of chat completions whose User-Agent says that they know only `reasoning`: @openai/agents 0.20 for Node
 * (https://github.com/openai/openai-agents-js) and the SDKs of Groq 1.6, Cerebras 1.91 and OpenRouter 1.0, whose APIs have this field
 * (https://console.groq.com/docs/reasoning). Providers of the Vercel AI SDK send the same User-Agent; those for Groq and OpenRouter know
 * only `reasoning`, those for xAI, DeepSeek and Alibaba only `reasoning_content`, and none that knows both adds them up.
 */
const READERS =
  /(?:^|\s)(?:Agents\/JavaScript|ai-sdk\/|(?:Async)?(?:Groq|Cerebras)\/(?:JS|Python)|speakeasy-sdk\/typescript .*@openrouter\/sdk)/

const BOTH: RouteFacts = { both_reasoning_fields: true }
const ONE: RouteFacts = {}

export const readerOf = ({ headers }: IncomingMessage): RouteFacts => (READERS.test(headers['user-agent'] ?? '') ? BOTH : ONE)
