import type { BaseCall, FormPart } from './routes.ts'

/** Right calls of what the gateway keeps, and of the clients of other vendors. `{file}` and the like are ids that earlier calls made. */
const json = (value: unknown) => ({ kind: 'json', value }) as const
const form = (...parts: FormPart[]) => ({ kind: 'form', parts }) as const
const NONE = { kind: 'none' } as const
const MODEL = '{model}'
const CHAT = ['fz-openai', 'fz-anthropic', 'gemini-2.5-flash', 'fz-none'] as const

type Given = Partial<BaseCall> & Pick<BaseCall, 'method' | 'path'>
const call = (format: BaseCall['format'], route: string, given: Given): BaseCall => ({
  format,
  route,
  answers: 'json',
  models: CHAT,
  body: NONE,
  ...given,
})

const LINES = ['one', 'two']
  .map((custom_id) =>
    JSON.stringify({
      custom_id,
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model: 'fz-openai', max_tokens: 5, messages: [{ role: 'user', content: 'Hello' }] },
    }),
  )
  .join('\n')
const textFile = (name: string, type: string, text: string): FormPart => ({
  name: 'file',
  value: '',
  file: { name, type, bytes: Buffer.from(text) },
})
const MESSAGE = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }

const openai = (route: string, given: Given): BaseCall => call('openai', route, given)
const openAiStored: readonly BaseCall[] = [
  openai('files', {
    method: 'POST',
    path: '/v1/files',
    makes: 'file',
    body: form({ name: 'purpose', value: 'batch' }, textFile('a.jsonl', 'application/jsonl', `${LINES}\n`)),
  }),
  openai('files', {
    method: 'POST',
    path: '/v1/files',
    makes: 'file',
    body: form({ name: 'purpose', value: 'user_data' }, textFile('a.txt', 'text/plain', 'A short text')),
  }),
  openai('files', { method: 'GET', path: '/v1/files?limit=2&purpose=batch' }),
  openai('files', { method: 'GET', path: '/v1/files/{file}' }),
  openai('files', { method: 'GET', path: '/v1/files/{file}/content', answers: 'any' }),
  openai('files', { method: 'DELETE', path: '/v1/files/{file}' }),
  openai('uploads', {
    method: 'POST',
    path: '/v1/uploads',
    makes: 'upload',
    body: json({ filename: 'a.jsonl', purpose: 'batch', bytes: 5, mime_type: 'application/jsonl' }),
  }),
  openai('uploads', {
    method: 'POST',
    path: '/v1/uploads/{upload}/parts',
    makes: 'part',
    body: form({ ...textFile('data', 'application/octet-stream', 'hello'), name: 'data' }),
  }),
  openai('uploads', { method: 'POST', path: '/v1/uploads/{upload}/complete', body: json({ part_ids: ['{part}'] }) }),
  openai('uploads', { method: 'POST', path: '/v1/uploads/{upload}/cancel' }),
  openai('batches', {
    method: 'POST',
    path: '/v1/batches',
    makes: 'batch',
    body: json({ input_file_id: '{file}', endpoint: '/v1/chat/completions', completion_window: '24h', metadata: { a: 'b' } }),
  }),
  openai('batches', { method: 'GET', path: '/v1/batches?limit=2&after={batch}' }),
  openai('batches', { method: 'GET', path: '/v1/batches/{batch}' }),
  openai('batches', { method: 'POST', path: '/v1/batches/{batch}/cancel' }),
  openai('conversations', {
    method: 'POST',
    path: '/v1/conversations',
    makes: 'conversation',
    body: json({ items: [MESSAGE], metadata: { a: 'b' } }),
  }),
  openai('conversations', { method: 'GET', path: '/v1/conversations/{conversation}' }),
  openai('conversations', { method: 'POST', path: '/v1/conversations/{conversation}', body: json({ metadata: { a: 'c' } }) }),
  openai('conversations', { method: 'DELETE', path: '/v1/conversations/{conversation}' }),
  openai('conversations', { method: 'GET', path: '/v1/conversations/{conversation}/items?limit=2&order=asc', makes: 'item' }),
  openai('conversations', {
    method: 'POST',
    path: '/v1/conversations/{conversation}/items',
    makes: 'item',
    body: json({ items: [MESSAGE] }),
  }),
  openai('conversations', { method: 'GET', path: '/v1/conversations/{conversation}/items/{item}' }),
  openai('conversations', { method: 'DELETE', path: '/v1/conversations/{conversation}/items/{item}' }),
  openai('kept responses', {
    method: 'POST',
    path: '/v1/responses',
    makes: 'response',
    body: json({ model: MODEL, input: [MESSAGE], conversation: '{conversation}' }),
  }),
  openai('kept responses', {
    method: 'POST',
    path: '/v1/responses',
    makes: 'response',
    body: json({ model: MODEL, input: 'And now?', previous_response_id: '{response}' }),
  }),
  openai('kept responses', {
    method: 'POST',
    path: '/v1/responses',
    makes: 'response',
    body: json({ model: MODEL, input: 'Hello', background: true, store: true }),
  }),
  openai('kept responses', { method: 'GET', path: '/v1/responses/{response}' }),
  openai('kept responses', { method: 'GET', path: '/v1/responses/{response}?stream=true', answers: 'sse', waits: true }),
  openai('kept responses', { method: 'GET', path: '/v1/responses/{response}/input_items?limit=2' }),
  openai('kept responses', { method: 'POST', path: '/v1/responses/{response}/cancel' }),
  openai('kept responses', { method: 'DELETE', path: '/v1/responses/{response}' }),
  openai('kept responses', { method: 'POST', path: '/v1/responses/input_tokens', body: json({ model: MODEL, input: [MESSAGE] }) }),
  openai('kept responses', { method: 'POST', path: '/v1/responses/compact', body: json({ model: MODEL, input: [MESSAGE] }) }),
  openai('secrets', {
    method: 'POST',
    path: '/v1/realtime/client_secrets',
    models: ['fz-realtime', 'gpt-4o-realtime-preview'],
    body: json({ session: { type: 'realtime', model: MODEL }, expires_after: { anchor: 'created_at', seconds: 60 } }),
  }),
  openai('image edits', {
    method: 'POST',
    path: '/v1/images/edits',
    models: ['gpt-image-1', 'fz-price'],
    body: json({ model: MODEL, prompt: 'a hat', images: [{ image_url: 'data:image/png;base64,aGVsbG8=' }] }),
  }),
]

const anthropic = (route: string, given: Given): BaseCall => call('anthropic', route, given)
const VERSION = [['anthropic-version', '2023-06-01']] as const
const anthropicStored: readonly BaseCall[] = [
  anthropic('message batches', {
    method: 'POST',
    path: '/v1/messages/batches',
    makes: 'message-batch',
    body: json({ requests: [{ custom_id: 'a', params: { model: MODEL, max_tokens: 5, messages: [{ role: 'user', content: 'Hello' }] } }] }),
  }),
  anthropic('message batches', { method: 'GET', path: '/v1/messages/batches?limit=2' }),
  anthropic('message batches', { method: 'GET', path: '/v1/messages/batches/{message-batch}' }),
  anthropic('message batches', { method: 'GET', path: '/v1/messages/batches/{message-batch}/results', answers: 'any' }),
  anthropic('message batches', { method: 'POST', path: '/v1/messages/batches/{message-batch}/cancel' }),
  anthropic('message batches', { method: 'DELETE', path: '/v1/messages/batches/{message-batch}' }),
  anthropic('message files', {
    method: 'POST',
    path: '/v1/files',
    makes: 'message-file',
    headers: VERSION,
    body: form(textFile('a.txt', 'text/plain', 'A short text')),
  }),
  anthropic('message files', { method: 'GET', path: '/v1/files?limit=2', headers: VERSION }),
  anthropic('message files', { method: 'GET', path: '/v1/files/{message-file}', headers: VERSION }),
  anthropic('message files', { method: 'DELETE', path: '/v1/files/{message-file}', headers: VERSION }),
]

const gemini = (route: string, given: Given): BaseCall => call('gemini', route, { models: ['gemini-2.5-flash', 'fz-gemini'], ...given })
const CONTENTS = [{ role: 'user', parts: [{ text: 'Hello' }] }]
const geminiStored: readonly BaseCall[] = [
  gemini('gemini files', {
    method: 'POST',
    path: '/upload/v1beta/files',
    headers: [
      ['X-Goog-Upload-Protocol', 'resumable'],
      ['X-Goog-Upload-Command', 'start'],
      ['X-Goog-Upload-Header-Content-Length', '5'],
      ['X-Goog-Upload-Header-Content-Type', 'text/plain'],
    ],
    answers: 'any',
    body: json({ file: { display_name: 'a.txt' } }),
  }),
  gemini('gemini files', {
    method: 'POST',
    path: '/upload/v1beta/files?upload_id=a',
    headers: [
      ['X-Goog-Upload-Command', 'upload, finalize'],
      ['X-Goog-Upload-Offset', '0'],
    ],
    body: json('hello'),
  }),
  gemini('gemini files', { method: 'GET', path: '/v1beta/files?pageSize=2' }),
  gemini('gemini files', { method: 'GET', path: '/v1beta/files/{file}' }),
  gemini('gemini files', { method: 'DELETE', path: '/v1beta/files/{file}' }),
  gemini('gemini batches', {
    method: 'POST',
    path: '/v1beta/models/{model}:batchGenerateContent',
    makes: 'gemini-batch',
    body: json({
      batch: { display_name: 'a', input_config: { requests: { requests: [{ request: { contents: CONTENTS }, metadata: { key: 'a' } }] } } },
    }),
  }),
  gemini('gemini batches', { method: 'GET', path: '/v1beta/batches?pageSize=2' }),
  gemini('gemini batches', { method: 'GET', path: '/v1beta/batches/{gemini-batch}' }),
  gemini('gemini batches', { method: 'POST', path: '/v1beta/batches/{gemini-batch}:cancel' }),
  gemini('gemini batches', { method: 'DELETE', path: '/v1beta/batches/{gemini-batch}' }),
  gemini('caches', {
    method: 'POST',
    path: '/v1beta/cachedContents',
    makes: 'cache',
    body: json({ model: 'models/gemini-2.5-flash', contents: CONTENTS, ttl: '300s' }),
  }),
  gemini('caches', { method: 'GET', path: '/v1beta/cachedContents?pageSize=2' }),
  gemini('caches', { method: 'GET', path: '/v1beta/cachedContents/{cache}' }),
  gemini('caches', { method: 'PATCH', path: '/v1beta/cachedContents/{cache}?updateMask=ttl', body: json({ ttl: '600s' }) }),
  gemini('caches', { method: 'DELETE', path: '/v1beta/cachedContents/{cache}' }),
  gemini('secrets', {
    method: 'POST',
    path: '/v1beta/auth_tokens',
    body: json({ uses: 1, bidiGenerateContentSetup: { model: 'models/gemini-2.5-flash' } }),
  }),
  gemini('predictions', {
    method: 'POST',
    path: '/v1beta/models/{model}:predict',
    body: json({ instances: [{ prompt: 'a cat' }], parameters: { sampleCount: 2, aspectRatio: '1:1' } }),
  }),
  gemini('predictions', {
    method: 'POST',
    path: '/v1beta/models/{model}:predictLongRunning',
    body: json({ instances: [{ prompt: 'a cat' }], parameters: { durationSeconds: 8 } }),
  }),
  gemini('predictions', {
    method: 'POST',
    path: '/v1beta/models/{model}:fetchPredictOperation',
    body: json({ operationName: 'models/m/operations/a' }),
  }),
]

const other = (route: string, given: Given): BaseCall => call('other', route, given)
const embedded = ['fz-openai', 'text-embedding-3-small', 'fz-gemini'] as const
const drawn = ['fz-none', 'fz-openai', 'sora-2'] as const
const otherClients: readonly BaseCall[] = [
  other('interactions', {
    method: 'POST',
    path: '/v1beta/interactions',
    makes: 'interaction',
    body: json({ model: MODEL, input: 'Hello' }),
  }),
  other('interactions', {
    method: 'POST',
    path: '/v1beta/interactions',
    makes: 'interaction',
    body: json({ model: MODEL, input: [{ type: 'text', text: 'And now?' }], previous_interaction_id: '{interaction}', background: true }),
  }),
  other('interactions', { method: 'GET', path: '/v1beta/interactions/{interaction}' }),
  other('interactions', { method: 'POST', path: '/v1beta/interactions/{interaction}/cancel' }),
  other('interactions', { method: 'DELETE', path: '/v1beta/interactions/{interaction}' }),
  other('ranking', {
    method: 'POST',
    path: '/v1/embed',
    models: embedded,
    body: json({ model: MODEL, texts: ['a', 'b'], truncate: 'END' }),
  }),
  other('ranking', {
    method: 'POST',
    path: '/v2/embed',
    models: embedded,
    body: json({ model: MODEL, texts: ['a'], input_type: 'search_query', embedding_types: ['float'] }),
  }),
  other('ranking', {
    method: 'POST',
    path: '/v2/rerank',
    models: ['fz-price'],
    body: json({ model: MODEL, query: 'q', documents: ['a', 'b'], top_n: 1 }),
  }),
  other('ranking', {
    method: 'POST',
    path: '/v1/reranking',
    models: ['fz-price'],
    body: json({ model: MODEL, query: 'q', input: ['a', 'b'], top_k: 1 }),
  }),
  other('videos', {
    method: 'POST',
    path: '/v1/videos',
    models: drawn,
    makes: 'video',
    body: json({ model: MODEL, prompt: 'a cat', seconds: '4' }),
  }),
  other('videos', {
    method: 'POST',
    path: '/v1/videos',
    models: drawn,
    makes: 'video',
    body: form({ name: 'model', value: MODEL }, { name: 'prompt', value: 'a cat' }, { name: 'size', value: '720x1280' }),
  }),
  other('videos', {
    method: 'POST',
    path: '/v1/video/generations',
    models: drawn,
    body: json({ model: MODEL, prompt: 'a cat', duration: 5 }),
  }),
  other('videos', { method: 'GET', path: '/v1/videos?limit=2' }),
  other('videos', { method: 'GET', path: '/v1/videos/{video}' }),
  other('videos', { method: 'GET', path: '/v1/videos/{video}/content', answers: 'any' }),
  other('videos', { method: 'POST', path: '/v1/videos/{video}/remix', body: json({ prompt: 'a dog' }) }),
  other('videos', { method: 'DELETE', path: '/v1/videos/{video}' }),
  other('videos', {
    method: 'POST',
    path: '/kling/v1/videos/text2video',
    models: drawn,
    body: json({ model_name: MODEL, prompt: 'a cat', duration: '5' }),
  }),
  other('videos', { method: 'GET', path: '/kling/v1/videos/text2video?pageNum=1&pageSize=2' }),
  other('videos', { method: 'GET', path: '/kling/v1/videos/text2video/{video}' }),
  other('videos', {
    method: 'POST',
    path: '/api/v3/contents/generations/tasks',
    models: drawn,
    body: json({ model: MODEL, content: [{ type: 'text', text: 'a cat --dur 5' }] }),
  }),
  other('videos', { method: 'GET', path: '/api/v3/contents/generations/tasks?page_num=1&page_size=2&filter.status=running' }),
  other('videos', {
    method: 'POST',
    path: '/jimeng/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31',
    models: drawn,
    body: json({ req_key: MODEL, prompt: 'a cat' }),
  }),
  other('videos', {
    method: 'POST',
    path: '/jimeng/?Action=CVSync2AsyncGetResult&Version=2022-08-31',
    body: json({ req_key: 'a', task_id: '{video}' }),
  }),
  other('drawings', { method: 'POST', path: '/mj/submit/imagine', body: json({ prompt: 'a cat', base64Array: [], notifyHook: '' }) }),
  other('drawings', { method: 'POST', path: '/mj/submit/change', body: json({ taskId: '1', action: 'UPSCALE', index: 1 }) }),
  other('drawings', { method: 'GET', path: '/mj/task/1/fetch' }),
  other('drawings', { method: 'POST', path: '/mj/task/list-by-condition', body: json({ ids: ['1', '2'] }) }),
  other('songs', {
    method: 'POST',
    path: '/suno/submit/music',
    body: json({ gpt_description_prompt: 'a song', mv: 'chirp-v4', make_instrumental: false }),
  }),
  other('songs', { method: 'POST', path: '/suno/fetch', body: json({ ids: ['a'], action: 'MUSIC' }) }),
  other('songs', { method: 'GET', path: '/suno/fetch/a' }),
]

export const storedCalls: readonly BaseCall[] = [...openAiStored, ...anthropicStored, ...geminiStored, ...otherClients]
