import Together from 'together-ai'
import { record, said } from './record.mjs'
import { embeddings } from './openai-answers.mjs'
import { recordChats } from './openai-shaped.mjs'

const client = new Together({ apiKey: 'the-key', maxRetries: 0 })
await recordChats((request) => client.chat.completions.create(request))
await record('embedding', embeddings, (model) => client.embeddings.create({ model, input: said.texts }))
const ranked = { body: { object: 'rerank', model: 'm', results: [{ index: 0, relevance_score: 0.9 }] } }
await record('rerank', ranked, (model) => client.rerank.create({ model, query: said.query, documents: said.texts, top_n: 1 }))
