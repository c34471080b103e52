// Answers in OpenAI's formats, which most vendors speak.
import { modelFor, said } from './record.mjs'

const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 }
const model = modelFor('chat')
const choice = (message, finish_reason) => ({
  body: { id: 'c1', object: 'chat.completion', created: 1, model, choices: [{ index: 0, message, finish_reason }], usage },
})
const toolCall = {
  id: said.call.id,
  type: 'function',
  function: { name: said.tool.name, arguments: JSON.stringify(said.call.arguments) },
}
const chunk = (delta, finish_reason = null) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1,
  model,
  choices: [{ index: 0, delta, finish_reason }],
  ...(finish_reason === null ? {} : { usage }),
})

export const sse = (events) => ({
  type: 'text/event-stream',
  body: `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`,
})
export const text = choice({ role: 'assistant', content: 'Sunny.' }, 'stop')
export const toolUse = choice({ role: 'assistant', content: '', tool_calls: [toolCall] }, 'tool_calls')
export const stream = sse([chunk({ role: 'assistant', content: 'Sun' }), chunk({ content: 'ny.' }), chunk({ content: '' }, 'stop')])
export const schemaAnswer = choice({ role: 'assistant', content: '{"sky":"blue"}' }, 'stop')
export const embeddings = {
  body: {
    id: 'e1',
    object: 'list',
    model,
    data: said.texts.map((_text, index) => ({ object: 'embedding', index, embedding: [0.5, 0.25] })),
    usage: { prompt_tokens: 4, completion_tokens: 0, total_tokens: 4 },
  },
}

/** The conversation in OpenAI's words. */
const system = { role: 'system', content: said.system }
const user = { role: 'user', content: said.prompt }
const tools = [{ type: 'function', function: said.tool }]
export const requests = {
  plain: {
    messages: [system, user],
    max_tokens: said.max_tokens,
    temperature: said.temperature,
    top_p: said.top_p,
    stop: said.stop,
  },
  stream: { messages: [system, user], max_tokens: said.max_tokens, stream: true },
  tools: { messages: [system, user], max_tokens: said.max_tokens, tools, tool_choice: 'required' },
  toolResult: {
    messages: [
      system,
      user,
      { role: 'assistant', content: '', tool_calls: [toolCall] },
      { role: 'tool', tool_call_id: said.call.id, content: said.call.result },
    ],
    max_tokens: said.max_tokens,
    tools,
  },
  thinking: { messages: [system, user], max_tokens: said.max_tokens, reasoning_effort: said.thinking.effort },
  picture: {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: said.prompt },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${said.picture}` } },
        ],
      },
    ],
    max_tokens: said.max_tokens,
  },
  schema: {
    messages: [system, user],
    max_tokens: said.max_tokens,
    response_format: { type: 'json_schema', json_schema: said.schema },
  },
}
