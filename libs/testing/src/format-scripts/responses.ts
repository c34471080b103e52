import { FORMAT_USAGE, REASONING_SIGNATURE, type ScriptedFormat } from './script.ts'
import { fieldAt, listAt, named, pieces, textAt, textsOf, type Fields } from './reading.ts'

type Reply = Parameters<ScriptedFormat['whole']>[0]

const usage = {
  input_tokens: FORMAT_USAGE.input,
  input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
  output_tokens: FORMAT_USAGE.output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: FORMAT_USAGE.input + FORMAT_USAGE.output,
}

/** https://developers.openai.com/api/reference/resources/responses/streaming-events */
export const responsesFormat: ScriptedFormat = {
  read: (path, body) => {
    if (!path.startsWith('/v1/responses')) return undefined
    const input = listAt(body, 'input')
    const lastUser = input.findLast((item) => item['role'] === 'user')
    return {
      is_stream: body['stream'] === true,
      tools: [body, ...input.filter((item) => item['type'] === 'additional_tools')].flatMap((one) => listAt(one, 'tools')).flatMap(namesOf),
      userText: typeof body['input'] === 'string' ? body['input'] : textsOf(lastUser?.['content']),
      hasToolResult: textAt(input.at(-1), 'type').endsWith('_output'),
    }
  },
  whole: (reply, model) => responseOf(model, statusOf(reply), itemsOf(reply)),
  stream: (reply, model) => {
    let sequence_number = -1
    const event = (type: string, fields: object) => named({ type, sequence_number: (sequence_number += 1), ...fields })
    const running = responseOf(model, 'in_progress', [])
    const begun = [event('response.created', { response: running }), event('response.in_progress', { response: running })]
    const said = itemsOf(reply).flatMap((item, output_index) => itemEvents(item, output_index, event))
    return [...begun, ...said, event(`response.${statusOf(reply)}`, { response: responseOf(model, statusOf(reply), itemsOf(reply)) })].join(
      '',
    )
  },
  error: (_status, message) => ({ error: { message, type: 'invalid_request_error', param: null, code: 'scripted' } }),
}

const statusOf = (reply: Reply) => (reply.kind === 'filtered' ? 'incomplete' : 'completed')
const namesOf = (tool: Fields): string[] => [textAt(tool, 'name'), ...listAt(tool, 'tools').flatMap(namesOf)]

type Item = { readonly id: string; readonly type: string; readonly [field: string]: unknown }

function itemsOf(reply: Reply): Item[] {
  if (reply.kind === 'filtered') return []
  if (reply.kind === 'calls')
    return reply.calls.map(({ id, name, input, is_custom, namespace }, at) => ({
      ...(is_custom === true
        ? { id: `ctc_${at}`, type: 'custom_tool_call', input: String(input['input']) }
        : { id: `fc_${at}`, type: 'function_call', arguments: JSON.stringify(input) }),
      status: 'completed',
      call_id: id,
      name,
      ...(namespace === undefined ? {} : { namespace }),
    }))
  const content = [{ type: 'output_text', text: reply.text, annotations: [], logprobs: [] }]
  const message = { id: 'msg_0', type: 'message', status: 'completed', role: 'assistant', content }
  if (reply.reasoning === undefined) return [message]
  const summary = [{ type: 'summary_text', text: reply.reasoning }]
  return [{ id: 'rs_0', type: 'reasoning', summary, encrypted_content: REASONING_SIGNATURE }, message]
}

function itemEvents(item: Item, output_index: number, event: (type: string, fields: object) => string): string[] {
  const here = { item_id: item.id, output_index }
  const part = listAt(item, 'content')[0]
  const begin = (fields: object) =>
    event('response.output_item.added', { output_index, item: { ...item, status: 'in_progress', ...fields } })
  const thought = listAt(item, 'summary')[0]
  const end = () => event('response.output_item.done', { output_index, item })
  if (thought !== undefined) {
    const at = { ...here, summary_index: 0 }
    const text = textAt(thought, 'text')
    return [
      event('response.output_item.added', { output_index, item: { ...item, summary: [] } }),
      event('response.reasoning_summary_part.added', { ...at, part: { ...thought, text: '' } }),
      ...pieces(text).map((delta) => event('response.reasoning_summary_text.delta', { ...at, delta })),
      event('response.reasoning_summary_text.done', { ...at, text }),
      event('response.reasoning_summary_part.done', { ...at, part: thought }),
      end(),
    ]
  }
  if (item.type === 'custom_tool_call') {
    const input = textAt(item, 'input')
    return [
      begin({ input: '' }),
      ...pieces(input).map((delta) => event('response.custom_tool_call_input.delta', { ...here, delta })),
      event('response.custom_tool_call_input.done', { ...here, input }),
      end(),
    ]
  }
  if (part === undefined) {
    const text = String(fieldAt(item, 'arguments'))
    return [
      begin({ arguments: '' }),
      ...pieces(text).map((delta) => event('response.function_call_arguments.delta', { ...here, delta })),
      event('response.function_call_arguments.done', { ...here, arguments: text }),
      end(),
    ]
  }
  const text = textAt(part, 'text')
  return [
    begin({ content: [] }),
    event('response.content_part.added', { ...here, content_index: 0, part: { ...part, text: '' } }),
    ...pieces(text).map((delta) => event('response.output_text.delta', { ...here, content_index: 0, delta, logprobs: [] })),
    event('response.output_text.done', { ...here, content_index: 0, text, logprobs: [] }),
    event('response.content_part.done', { ...here, content_index: 0, part }),
    end(),
  ]
}

function responseOf(model: string, status: string, output: readonly Item[]): object {
  return {
    id: 'resp_scripted',
    object: 'response',
    created_at: 1_700_000_000,
    status,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: 'content_filter' } : null,
    instructions: null,
    max_output_tokens: null,
    model,
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: true,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    usage: status === 'in_progress' ? null : usage,
    user: null,
    metadata: {},
  }
}
