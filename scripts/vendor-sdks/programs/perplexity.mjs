import Perplexity from '@perplexity-ai/perplexity_ai'
import { recordChats } from './openai-shaped.mjs'

const client = new Perplexity({ apiKey: 'the-key', maxRetries: 0 })
await recordChats((request) => client.chat.completions.create(request), { tools: undefined, toolResult: undefined })
