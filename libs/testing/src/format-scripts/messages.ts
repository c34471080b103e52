import { FORMAT_USAGE, REASONING_SIGNATURE, type ScriptedFormat } from './script.ts'
import { listAt, named, pieces, textAt, textsOf } from './reading.ts'

const base = (model: string) => ({ id: 'msg_scripted', type: 'message', role: 'assistant', model })
const usage = {
  input_tokens: FORMAT_USAGE.input,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: FORMAT_USAGE.output,
}

const STOPS = { text: 'end_turn', calls: 'tool_use', filtered: 'refusal' } as const

/** https://platform.claude.com/docs/en/api/messages */
export const messagesFormat: ScriptedFormat = {
  read: (path, body) => {
    if (!/^\/v1\/messages(?:\?|$)/.test(path)) return undefined
    const messages = listAt(body, 'messages')
    return {
      is_stream: body['stream'] === true,
      tools: listAt(body, 'tools').map((tool) => textAt(tool, 'name')),
      userText: textsOf(
        messages.findLast((message) => message['role'] === 'user' && textsOf(message['content']).trim() !== '')?.['content'],
      ),
      hasToolResult: listAt(messages.at(-1), 'content').some((part) => part['type'] === 'tool_result'),
    }
  },
  whole: (reply, model) => {
    const content =
      reply.kind === 'filtered'
        ? []
        : reply.kind === 'text'
          ? [
              ...(reply.reasoning === undefined ? [] : [{ type: 'thinking', thinking: reply.reasoning, signature: REASONING_SIGNATURE }]),
              { type: 'text', text: reply.text },
            ]
          : reply.calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input }))
    return { ...base(model), content, stop_reason: STOPS[reply.kind], stop_sequence: null, usage }
  },
  stream: (reply, model) => {
    const block = (index: number, content_block: object, deltas: readonly object[]) => [
      named({ type: 'content_block_start', index, content_block }),
      ...deltas.map((delta) => named({ type: 'content_block_delta', index, delta })),
      named({ type: 'content_block_stop', index }),
    ]
    const said =
      reply.kind === 'filtered'
        ? []
        : reply.kind === 'text'
          ? [
              ...(reply.reasoning === undefined
                ? []
                : block(0, { type: 'thinking', thinking: '', signature: '' }, [
                    ...pieces(reply.reasoning).map((thinking) => ({ type: 'thinking_delta', thinking })),
                    { type: 'signature_delta', signature: REASONING_SIGNATURE },
                  ])),
              ...block(
                reply.reasoning === undefined ? 0 : 1,
                { type: 'text', text: '' },
                pieces(reply.text).map((text) => ({ type: 'text_delta', text })),
              ),
            ]
          : reply.calls.flatMap(({ id, name, input }, index) => {
              const deltas = pieces(JSON.stringify(input)).map((partial_json) => ({ type: 'input_json_delta', partial_json }))
              return block(index, { type: 'tool_use', id, name, input: {} }, deltas)
            })
    const message = { ...base(model), content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } }
    const delta = { stop_reason: STOPS[reply.kind], stop_sequence: null }
    return [
      named({ type: 'message_start', message }),
      ...said,
      named({ type: 'message_delta', delta, usage }),
      named({ type: 'message_stop' }),
    ].join('')
  },
  error: (status, message) => ({
    type: 'error',
    error: { type: status === 429 ? 'rate_limit_error' : 'invalid_request_error', message },
    request_id: 'req_scripted',
  }),
}
