export type Json = Record<string, unknown>
type Body = { readonly type?: string; readonly example?: unknown }

const FORM = 'multipart/form-data'
const FILE = { type: '*/*', example: '…' }
const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 }
const message = { role: 'user', content: 'Hello' }
const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }]
const generated = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hello.' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 3, totalTokenCount: 12 },
}
const answered = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello.' }] }],
  usage: { input_tokens: 9, output_tokens: 3, total_tokens: 12 },
}

/** Examples of bodies and answers, where a plain object would say too little. */
export const BODIES: Readonly<Record<string, { readonly request?: Body; readonly answer?: Body }>> = {
  'POST /v1/chat/completions': {
    request: { example: { model: 'gpt-4o-mini', messages: [message], stream: false } },
    answer: {
      example: {
        id: 'chatcmpl-1',
        object: 'chat.completion',
        model: 'gpt-4o-mini',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
        usage,
      },
    },
  },
  'POST /v1/completions': {
    request: { example: { model: 'gpt-3.5-turbo-instruct', prompt: 'Hello' } },
    answer: { example: { id: 'cmpl-1', object: 'text_completion', choices: [{ index: 0, text: ' there', finish_reason: 'stop' }], usage } },
  },
  'POST /v1/responses': { request: { example: { model: 'gpt-4o-mini', input: 'Hello' } }, answer: { example: answered } },
  'GET /v1/responses/{id}': { answer: { example: answered } },
  'POST /v1/embeddings': {
    request: { example: { model: 'text-embedding-3-small', input: ['Hello'] } },
    answer: {
      example: {
        object: 'list',
        data: [{ object: 'embedding', index: 0, embedding: [0.1] }],
        usage: { prompt_tokens: 1, total_tokens: 1 },
      },
    },
  },
  'POST /v1/moderations': { request: { example: { model: 'omni-moderation-latest', input: 'Hello' } } },
  'POST /v1/images/generations': {
    request: { example: { model: 'gpt-image-1', prompt: 'A lighthouse', size: '1024x1024' } },
    answer: { example: { created: 1_795_947_300, data: [{ b64_json: '…' }] } },
  },
  'POST /v1/images/edits': { request: { type: FORM, example: { model: 'gpt-image-1', prompt: 'At night', image: '…' } } },
  'POST /v1/audio/speech': { request: { example: { model: 'tts-1', input: 'Hello', voice: 'alloy' } }, answer: FILE },
  'POST /v1/audio/transcriptions': {
    request: { type: FORM, example: { model: 'whisper-1', file: '…' } },
    answer: { example: { text: 'Hello.' } },
  },
  'POST /v1/audio/translations': {
    request: { type: FORM, example: { model: 'whisper-1', file: '…' } },
    answer: { example: { text: 'Hello.' } },
  },
  'POST /v1/videos': {
    request: { example: { model: 'sora-2', prompt: 'A lighthouse', seconds: '4' } },
    answer: { example: { id: 'video_1', object: 'video', status: 'queued', model: 'sora-2' } },
  },
  'GET /v1/videos/{id}/content': { answer: FILE },
  'GET /v1/models': { answer: { example: { object: 'list', data: [{ id: 'gpt-4o-mini', object: 'model', owned_by: 'openai' }] } } },
  'GET /v1/models/{model}': { answer: { example: { id: 'gpt-4o-mini', object: 'model', owned_by: 'openai' } } },
  'POST /v1/files': {
    request: { type: FORM, example: { purpose: 'batch', file: '…' } },
    answer: { example: { id: 'file-1', object: 'file', bytes: 120, filename: 'batch.jsonl', purpose: 'batch' } },
  },
  'GET /v1/files/{id}/content': { answer: FILE },
  'POST /v1/uploads/{id}/parts': { request: { type: FORM, example: { data: '…' } } },
  'POST /v1/batches': {
    request: { example: { input_file_id: 'file-1', endpoint: '/v1/chat/completions', completion_window: '24h' } },
    answer: { example: { id: 'batch_1', object: 'batch', status: 'validating' } },
  },
  'POST /v1/messages': {
    request: { example: { model: 'claude-sonnet-4-5', max_tokens: 1024, messages: [message] } },
    answer: {
      example: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: 'Hello.' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 9, output_tokens: 3 },
      },
    },
  },
  'POST /v1/messages/count_tokens': {
    request: { example: { model: 'claude-sonnet-4-5', messages: [message] } },
    answer: { example: { input_tokens: 9 } },
  },
  'GET /v1/messages/batches/{id}/results': { answer: FILE },
  'HEAD /api/hello': { answer: { type: '*/*', example: '' } },
  'GET /{version}/models': { answer: { example: { models: [{ name: 'models/gemini-2.5-flash' }] } } },
  'POST /{version}/models/{model}:generateContent': { request: { example: { contents } }, answer: { example: generated } },
  'POST /{version}/models/{model}:streamGenerateContent': { request: { example: { contents } }, answer: { example: [generated] } },
  'POST /{version}/models/{model}:countTokens': { request: { example: { contents } }, answer: { example: { totalTokens: 9 } } },
  'POST /{version}/models/{model}:embedContent': {
    request: { example: { content: { parts: [{ text: 'Hello' }] } } },
    answer: { example: { embedding: { values: [0.1] } } },
  },
}
