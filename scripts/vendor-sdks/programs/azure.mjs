import { AzureOpenAI } from 'openai'
import { record, said } from './record.mjs'
import { embeddings } from './openai-answers.mjs'
import { recordChats } from './openai-shaped.mjs'

const client = new AzureOpenAI({
  apiKey: 'the-key',
  endpoint: 'https://own.example',
  apiVersion: '2025-04-01-preview',
  maxRetries: 0,
})
await recordChats((request) => client.chat.completions.create(request))
await record('embedding', embeddings, (model) => client.embeddings.create({ model, input: said.texts, encoding_format: 'float' }))
