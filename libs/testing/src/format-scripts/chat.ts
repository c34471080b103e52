import { FORMAT_USAGE, type ScriptedCall, type ScriptedFormat } from './script.ts'
import { data, fieldAt, listAt, pieces, textAt, textsOf } from './reading.ts'

const base = (model: string) => ({ id: 'chatcmpl-scripted', created: 1_700_000_000, model })
const usage = {
  prompt_tokens: FORMAT_USAGE.input,
  completion_tokens: FORMAT_USAGE.output,
  total_tokens: FORMAT_USAGE.input + FORMAT_USAGE.output,
}
const reasoningOf = ({ reasoning }: { readonly reasoning?: string }) => (reasoning === undefined ? {} : { reasoning_content: reasoning })
const toCall = ({ id, name, input }: ScriptedCall) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(input) } })

const FINISHES = { text: 'stop', calls: 'tool_calls', filtered: 'content_filter' } as const

/** https://developers.openai.com/api/reference/resources/chat */
export const chatFormat: ScriptedFormat = {
  read: (path, body) => {
    if (!path.startsWith('/v1/chat/completions')) return undefined
    const messages = listAt(body, 'messages')
    return {
      is_stream: body['stream'] === true,
      tools: listAt(body, 'tools').map((tool) => textAt(fieldAt(tool, 'function'), 'name')),
      userText: textsOf(messages.findLast((message) => message['role'] === 'user')?.['content']),
      hasToolResult: messages.at(-1)?.['role'] === 'tool',
    }
  },
  whole: (reply, model) => {
    const message =
      reply.kind === 'filtered'
        ? { content: '' }
        : reply.kind === 'text'
          ? { content: reply.text, ...reasoningOf(reply) }
          : { content: null, tool_calls: reply.calls.map(toCall) }
    const finish_reason = FINISHES[reply.kind]
    const choices = [{ index: 0, message: { role: 'assistant', refusal: null, ...message }, logprobs: null, finish_reason }]
    return { ...base(model), object: 'chat.completion', choices, usage }
  },
  stream: (reply, model) => {
    const chunk = (choices: object[], told: object | null = null) =>
      data({ ...base(model), object: 'chat.completion.chunk', choices, usage: told })
    const delta = (fields: object, finish_reason: string | null = null) =>
      chunk([{ index: 0, delta: fields, logprobs: null, finish_reason }])
    const said =
      reply.kind === 'filtered'
        ? []
        : reply.kind === 'text'
          ? [
              ...pieces(reply.reasoning ?? '').map((reasoning_content) => delta({ reasoning_content })),
              ...pieces(reply.text).map((content) => delta({ content })),
            ]
          : reply.calls.flatMap((call, index) => [
              delta({ tool_calls: [{ ...toCall(call), index, function: { name: call.name, arguments: '' } }] }),
              ...pieces(JSON.stringify(call.input)).map((text) => delta({ tool_calls: [{ index, function: { arguments: text } }] })),
            ])
    const end = [delta({}, FINISHES[reply.kind]), chunk([], usage), 'data: [DONE]\n\n']
    return [delta({ role: 'assistant', content: '' }), ...said, ...end].join('')
  },
  error: (status, message) => ({
    error: { message, type: status === 429 ? 'rate_limit_error' : 'invalid_request_error', param: null, code: 'scripted' },
  }),
}
