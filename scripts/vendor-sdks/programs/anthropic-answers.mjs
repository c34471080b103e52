// Anthropic's conversations and answers, for its clients of clouds.
import { record, said } from './record.mjs'

const usage = { input_tokens: 9, output_tokens: 3 }
const message = (content, stop_reason) => ({
  body: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content, stop_reason, stop_sequence: null, usage },
})
const text = message([{ type: 'text', text: 'Sunny.' }], 'end_turn')
export const EVENTS = [
  { type: 'message_start', message: { ...text.body, content: [], stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Sunny.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
  { type: 'message_stop' },
]
const sse = {
  type: 'text/event-stream',
  body: EVENTS.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
}

/** `stream` is the answer in the cloud's own frames. */
export async function recordMessages({ messages: client }, stream = sse) {
  const { system, prompt, max_tokens, tool, call, picture, thinking } = said
  const messages = [{ role: 'user', content: prompt }]
  const tools = [{ name: tool.name, description: tool.description, input_schema: tool.parameters }]
  const used = { type: 'tool_use', id: call.id, name: tool.name, input: call.arguments }
  await record('plain', text, (model) =>
    client.create({ model, system, messages, max_tokens, temperature: said.temperature, top_p: said.top_p, stop_sequences: said.stop }),
  )
  await record('stream', stream, (model) => client.create({ model, system, messages, max_tokens, stream: true }))
  await record('tools', message([used], 'tool_use'), (model) =>
    client.create({ model, system, messages, max_tokens, tools, tool_choice: { type: 'any' } }),
  )
  await record('tool result', text, (model) =>
    client.create({
      model,
      system,
      messages: [
        ...messages,
        { role: 'assistant', content: [used] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: call.result }] },
      ],
      max_tokens,
      tools,
    }),
  )
  await record('thinking', text, (model) =>
    client.create({ model, system, messages, max_tokens, thinking: { type: 'enabled', budget_tokens: thinking.budget } }),
  )
  await record('picture', text, (model) =>
    client.create({
      model,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: prompt },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } },
          ],
        },
      ],
      max_tokens,
    }),
  )
  await record('schema', text, (model) =>
    client.create({ model, system, messages, max_tokens, output_config: { format: { type: 'json_schema', schema: said.schema.schema } } }),
  )
}
