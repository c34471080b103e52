// The conversations for an SDK whose method takes OpenAI's chat requests.
import { record } from './record.mjs'
import { requests, schemaAnswer, stream, text, toolUse } from './openai-answers.mjs'

/** `own` changes requests by name; undefined leaves one out. */
export async function recordChats(create, own = {}) {
  const asked = { ...requests, ...own }
  const names = { toolResult: 'tool result' }
  const answers = { stream, tools: toolUse, schema: schemaAnswer }
  for (const [name, request] of Object.entries(asked)) {
    if (request !== undefined) await record(names[name] ?? name, answers[name] ?? text, (model) => create({ model, ...request }))
  }
}
