import Groq from 'groq-sdk'
import { recordChats } from './openai-shaped.mjs'

const client = new Groq({ apiKey: 'the-key', maxRetries: 0 })
await recordChats((request) => client.chat.completions.create(request))
