import { data, fieldAt, listAt, pieces, textAt } from '../format-scripts/reading.ts'
import { responsesFormat } from '../format-scripts/responses.ts'
import {
  EVENT_STREAM,
  INPUT,
  OUTPUT,
  requireHeader,
  requirePath,
  requireThat,
  requireWithout,
  VENDOR_KEY,
  VENDOR_TEXT,
  type VendorCall,
  type VendorScript,
} from './script.ts'

const named = (event: string, value: object) => `event: ${event}\n${data(value)}`
const requireKey = (call: VendorCall) => requireHeader(call, 'authorization', `Bearer ${VENDOR_KEY}`)

/** https://docs.dify.ai/en/api-reference/guides/agent */
export const dify: VendorScript = (call) => {
  requirePath(call, '/v1/chat-messages')
  requireKey(call)
  const { body } = call
  requireThat(textAt(body, 'query') !== '' && textAt(body, 'user') !== '', 'query and user are required')
  const metadata = { usage: { prompt_tokens: INPUT, completion_tokens: OUTPUT, total_tokens: INPUT + OUTPUT } }
  const message = { event: 'message', message_id: 'm1', conversation_id: 'c1' }
  if (body['response_mode'] !== 'streaming') return { body: { ...message, mode: 'chat', answer: VENDOR_TEXT, metadata } }
  const events = pieces(VENDOR_TEXT).map((answer) => data({ ...message, answer }))
  return { type: EVENT_STREAM, body: `event: ping\n\n${events.join('')}${data({ ...message, event: 'message_end', metadata })}` }
}

/** https://github.com/coze-dev/coze-js */
export const coze: VendorScript = (call) => {
  requirePath(call, '/v3/chat')
  requireKey(call)
  const { body } = call
  requireThat(body['bot_id'] === 'bot-1' && textAt(body, 'user_id') !== '', 'bot_id and user_id are required')
  requireThat(body['stream'] === true, 'a chat that is not kept must be streamed')
  const message = { id: 'm1', role: 'assistant', type: 'answer', content_type: 'text' }
  const usage = { token_count: INPUT + OUTPUT, input_count: INPUT, output_count: OUTPUT }
  const events = [
    named('conversation.chat.created', { id: 'c1', bot_id: 'bot-1', status: 'created' }),
    ...pieces(VENDOR_TEXT).map((content) => named('conversation.message.delta', { ...message, content })),
    named('conversation.message.completed', { ...message, content: VENDOR_TEXT }),
    named('conversation.message.completed', { ...message, type: 'verbose', content: '{"msg_type":"generate_answer_finish"}' }),
    named('conversation.chat.completed', { id: 'c1', status: 'completed', usage }),
    'event: done\ndata: "[DONE]"\n\n',
  ]
  return { type: EVENT_STREAM, body: events.join('') }
}

export const BAIDU_TOKEN = 'baidu-access-token'

/** https://cloud.baidu.com/doc/WENXINWORKSHOP/s/jlil56u11 */
export const baidu: VendorScript = (call) => {
  requirePath(call, `/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/completions_pro?access_token=${BAIDU_TOKEN}`)
  const { body } = call
  requireWithout(call, ['model', 'max_tokens', 'seed', 'max_completion_tokens'])
  const usage = { prompt_tokens: INPUT, completion_tokens: OUTPUT, total_tokens: INPUT + OUTPUT }
  const answer = { id: 'as-1', object: 'chat.completion', created: 1_700_000_000, is_truncated: false, need_clear_history: false }
  if (body['stream'] !== true) return { body: { ...answer, result: VENDOR_TEXT, usage } }
  const texts = pieces(VENDOR_TEXT)
  const events = texts.map((result, sentence_id) => {
    const is_end = sentence_id === texts.length - 1
    return data({ ...answer, sentence_id, is_end, result, ...(is_end ? { usage } : {}) })
  })
  return { type: EVENT_STREAM, body: events.join('') }
}

/** https://replicate.com/docs/reference/http */
export const replicate: VendorScript = (call) => {
  requireKey(call)
  const { base, body, headers } = call
  if (call.method === 'GET') {
    requireThat(call.path === '/streams/p1' && headers.accept === EVENT_STREAM, `GET ${call.path}`)
    const events = pieces(VENDOR_TEXT).map((text, at) => `event: output\nid: ${at}:0\ndata: ${text}\n\n`)
    return { type: EVENT_STREAM, body: `${events.join('')}event: done\ndata: {}\n\n` }
  }
  const input = fieldAt(body, 'input')
  const isImage = call.path === '/v1/models/maker/painter/predictions'
  if (!isImage) requirePath(call, '/v1/models/maker/writer/predictions')
  requireThat(textAt(input, 'prompt') !== '', 'input.prompt is required')
  const urls = { stream: `${base}/streams/p1` }
  if (headers['prefer'] !== 'wait') return { body: { id: 'p1', status: 'starting', urls } }
  if (isImage) return { body: { id: 'p1', status: 'succeeded', output: ['https://images.example/1.webp'], urls } }
  const metrics = { input_token_count: INPUT, output_token_count: OUTPUT, predict_time: 0.4 }
  return { body: { id: 'p1', status: 'succeeded', output: pieces(VENDOR_TEXT), metrics, urls } }
}

/** The backend of ChatGPT's subscriptions: streamed responses that are not kept. */
export const codex: VendorScript = (call) => {
  requirePath(call, '/backend-api/codex/responses')
  requireHeader(call, 'authorization', 'Bearer access-1')
  requireHeader(call, 'chatgpt-account-id', 'account-1')
  const { body } = call
  requireThat(body['store'] === false && body['stream'] === true, 'store must be false and stream must be true')
  requireThat(typeof body['instructions'] === 'string', 'instructions are required')
  requireThat(listAt(body, 'input').length > 0, 'input must be a list')
  requireWithout(call, ['max_output_tokens', 'temperature', 'top_p', 'user', 'seed', 'metadata', 'safety_identifier'])
  return { type: EVENT_STREAM, body: responsesFormat.stream({ kind: 'text', text: VENDOR_TEXT }, 'gpt-5-codex') }
}

/** https://www.alibabacloud.com/help/en/model-studio/text-to-image-v2-api-reference */
export const aliImages: VendorScript = (call) => {
  requirePath(call, '/api/v1/services/aigc/multimodal-generation/generation')
  requireKey(call)
  const [message] = listAt(fieldAt(call.body, 'input'), 'messages')
  requireThat(textAt(message, 'role') === 'user' && textAt(listAt(message, 'content')[0], 'text') !== '', 'one message is required')
  requireThat(textAt(fieldAt(call.body, 'parameters'), 'size') === '1024*1024', 'size is width*height')
  const content = [{ image: 'https://images.example/1.webp', type: 'image' }]
  const output = { choices: [{ finish_reason: 'stop', message: { role: 'assistant', content } }], finished: true }
  return { body: { output, usage: { image_count: 1, width: 1024, height: 1024 }, request_id: 'r1' } }
}

/** Older models of the same reference: a task, whose state is read until it has ended. */
export const aliImageTasks: VendorScript = (call) => {
  requireKey(call)
  const output = { task_id: 'task-1', task_status: 'PENDING' }
  if (call.method === 'GET') {
    requireThat(call.path === '/api/v1/tasks/task-1', call.path)
    const results = [{ url: 'https://images.example/1.webp' }, { code: 'InternalError.Timeout', message: 'timed out' }]
    return { body: { request_id: 'r2', output: { ...output, task_status: 'SUCCEEDED', results }, usage: { image_count: 1 } } }
  }
  requirePath(call, '/api/v1/services/aigc/text2image/image-synthesis')
  requireHeader(call, 'x-dashscope-async', 'enable')
  requireThat(textAt(call.body['input'], 'prompt') !== '', 'prompt is required')
  requireThat(textAt(call.body['parameters'], 'size') === '1024*1024', 'size is width*height')
  return { body: { request_id: 'r1', output } }
}

/** The bytes of a file. https://developers.cloudflare.com/workers-ai/models/whisper/ */
export const cloudflareWhisper: VendorScript = (call) => {
  requirePath(call, '/client/v4/accounts/account-1/ai/run/@cf/openai/whisper')
  requireKey(call)
  requireThat(call.raw.subarray(0, 4).toString() === 'RIFF', 'the body must be the file')
  return {
    body: { result: { text: VENDOR_TEXT, word_count: 5, vtt: `WEBVTT\n\n${VENDOR_TEXT}` }, success: true, errors: [], messages: [] },
  }
}

/** https://developers.cloudflare.com/workers-ai/models/whisper-large-v3-turbo/ */
export const cloudflareTurbo: VendorScript = (call) => {
  requirePath(call, '/client/v4/accounts/account-1/ai/run/@cf/openai/whisper-large-v3-turbo')
  requireKey(call)
  const task = textAt(call.body, 'task')
  requireThat(task === 'transcribe' || task === 'translate', `task ${task}`)
  requireThat(Buffer.from(textAt(call.body, 'audio'), 'base64').subarray(0, 4).toString() === 'RIFF', 'audio must be the file in base64')
  const info = { language: textAt(call.body, 'language') || 'en', duration: 2.4 }
  return { body: { result: { text: `${task}: ${VENDOR_TEXT}`, transcription_info: info }, success: true, errors: [], messages: [] } }
}

/** https://developers.cloudflare.com/workers-ai/models/flux-1-schnell/ */
export const cloudflareImages: VendorScript = (call) => {
  requirePath(call, '/client/v4/accounts/account-1/ai/run/@cf/black-forest-labs/flux-1-schnell')
  requireKey(call)
  requireThat(textAt(call.body, 'prompt') !== '', 'prompt is required')
  requireWithout(call, ['model', 'size', 'n'])
  return { body: { result: { image: 'aGVsbG8=' }, success: true, errors: [], messages: [] } }
}
