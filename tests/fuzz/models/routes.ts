import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { aWav } from '../../../services/relay/test/audio.ts'
import { storedCalls } from './stored-calls.ts'

/** How a client reads answers and errors; `other`: as the vendor of the route does. */
export type ClientFormat = 'openai' | 'anthropic' | 'gemini' | 'other'

/** One call that is right as it stands; cases change it. */
export type BaseCall = {
  readonly route: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** `{model}` is replaced, and `{file}` by the id of a file that the account has made. */
  readonly path: string
  readonly headers?: readonly (readonly [string, string])[]
  /** The kind of thing whose id the answer has. */
  readonly makes?: string
  /** The answer lasts until a background call has ended, which is tried again for minutes. */
  readonly waits?: true
  readonly format: ClientFormat
  /** Form of a 2xx answer. */
  readonly answers: 'json' | 'sse' | 'json-array' | 'audio' | 'any'
  readonly body:
    | { readonly kind: 'json'; readonly value: unknown }
    | { readonly kind: 'form'; readonly parts: readonly FormPart[] }
    | { readonly kind: 'none' }
  /** Models that the route is called with; one is drawn. */
  readonly models: readonly string[]
}

export type FormPart = {
  readonly name: string
  readonly value: string
  readonly file?: { readonly name: string; readonly type: string; readonly bytes: Buffer }
}

const FIXTURES = join(import.meta.dirname, '../../../libs/providers/src/conformance/__fixtures__')

/** Models of the channels. A chat model's name starts with the vendor kind that serves it. */
export const CHAT_MODELS = [
  'fz-openai',
  'fz-anthropic',
  'fz-gemini',
  'fz-azure',
  'fz-deepseek',
  'fz-openrouter',
  'fz-none',
  'gpt-4o',
  'o3-mini',
  'gpt-4o-audio-preview',
  'claude-sonnet-4-20250514',
  'claude-3-7-sonnet-20250219-thinking',
  'gemini-2.5-flash',
  'gemini-2.5-pro',
] as const

function requestsOf(format: string): readonly { readonly name: string; readonly value: Record<string, unknown> }[] {
  const dir = join(FIXTURES, 'requests', format)
  return readdirSync(dir)
    .toSorted()
    .map((file) => {
      // An address of the loopback is refused at once; a name would be looked up.
      const text = readFileSync(join(dir, file), 'utf8').replaceAll('https://images.example', 'http://127.0.0.1:9')
      return { name: file.replace('.json', ''), value: JSON.parse(text) as Record<string, unknown> } // a fixture is an object
    })
}

const json = (value: unknown) => ({ kind: 'json', value }) as const
const form = (...parts: FormPart[]) => ({ kind: 'form', parts }) as const
const MODEL = '{model}'

function chatCalls(): BaseCall[] {
  const common = { method: 'POST', models: CHAT_MODELS } as const
  const calls: BaseCall[] = []
  for (const { value } of requestsOf('openai-chat')) {
    const chat = { ...common, route: 'chat', path: '/v1/chat/completions', format: 'openai' } as const
    calls.push({ ...chat, answers: 'json', body: json({ ...value, model: MODEL }) })
    calls.push({ ...chat, answers: 'sse', body: json({ ...value, model: MODEL, stream: true, stream_options: { include_usage: true } }) })
  }
  for (const { value } of requestsOf('openai-responses')) {
    const responses = { ...common, route: 'responses', path: '/v1/responses', format: 'openai' } as const
    calls.push({ ...responses, answers: 'json', body: json({ ...value, model: MODEL }) })
    calls.push({ ...responses, answers: 'sse', body: json({ ...value, model: MODEL, stream: true }) })
  }
  for (const { value } of requestsOf('anthropic-messages')) {
    const messages = { ...common, route: 'messages', path: '/v1/messages', format: 'anthropic' } as const
    calls.push({ ...messages, answers: 'json', body: json({ ...value, model: MODEL }) })
    calls.push({ ...messages, answers: 'sse', body: json({ ...value, model: MODEL, stream: true }) })
  }
  for (const { value } of requestsOf('gemini')) {
    const base = { ...common, route: 'gemini', format: 'gemini', body: json(value) } as const
    calls.push({ ...base, path: '/v1beta/models/{model}:generateContent', answers: 'json' })
    calls.push({ ...base, path: '/v1beta/models/{model}:streamGenerateContent?alt=sse', answers: 'sse' })
    calls.push({ ...base, path: '/v1/models/{model}:streamGenerateContent', answers: 'json-array' })
  }
  return calls
}

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')
const image = (name: string): FormPart => ({ name, value: '', file: { name: 'a.png', type: 'image/png', bytes: PNG } })
const sound = (name: string): FormPart => ({ name, value: '', file: { name: 'a.wav', type: 'audio/wav', bytes: aWav(2) } })

const OPENAI = { method: 'POST', format: 'openai' } as const

const otherCalls: readonly BaseCall[] = [
  {
    ...OPENAI,
    route: 'completions',
    path: '/v1/completions',
    answers: 'json',
    models: ['fz-openai', 'gpt-3.5-turbo-instruct', 'fz-anthropic'],
    body: json({ model: MODEL, prompt: 'Once upon', max_tokens: 5, n: 2, best_of: 2 }),
  },
  {
    ...OPENAI,
    route: 'completions',
    path: '/v1/completions',
    answers: 'sse',
    models: ['fz-openai', 'fz-deepseek'],
    body: json({ model: MODEL, prompt: ['Once', 'upon'], stream: true }),
  },
  {
    ...OPENAI,
    route: 'embeddings',
    path: '/v1/embeddings',
    answers: 'json',
    models: ['text-embedding-3-small', 'fz-openai', 'fz-gemini'],
    body: json({ model: MODEL, input: ['a', 'b'], dimensions: 3, encoding_format: 'float' }),
  },
  {
    ...OPENAI,
    route: 'embeddings',
    path: '/v1/engines/{model}/embeddings',
    answers: 'json',
    models: ['text-embedding-3-small', 'fz-gemini'],
    body: json({ input: [1, 2, 3], encoding_format: 'base64' }),
  },
  {
    ...OPENAI,
    route: 'moderations',
    path: '/v1/moderations',
    answers: 'json',
    models: ['omni-moderation-latest', 'fz-openai'],
    body: json({ model: MODEL, input: 'x' }),
  },
  {
    ...OPENAI,
    route: 'images',
    path: '/v1/images/generations',
    answers: 'json',
    models: ['dall-e-3', 'gpt-image-1', 'dall-e-2', 'fz-price'],
    body: json({ model: MODEL, prompt: 'a cat', n: 2, size: '1024x1024', quality: 'high' }),
  },
  {
    ...OPENAI,
    route: 'images',
    path: '/v1/images/generations',
    answers: 'sse',
    models: ['gpt-image-1'],
    body: json({ model: MODEL, prompt: 'a cat', stream: true, partial_images: 1 }),
  },
  {
    ...OPENAI,
    route: 'image edits',
    path: '/v1/images/edits',
    answers: 'json',
    models: ['gpt-image-1', 'dall-e-2', 'fz-price'],
    body: form(
      { name: 'model', value: MODEL },
      { name: 'prompt', value: 'a hat' },
      { name: 'n', value: '2' },
      image('image[]'),
      image('image[]'),
      image('mask'),
    ),
  },
  {
    ...OPENAI,
    route: 'speech',
    path: '/v1/audio/speech',
    answers: 'audio',
    models: ['tts-1', 'gpt-4o-mini-tts', 'fz-openai'],
    body: json({ model: MODEL, input: 'Hello there', voice: 'alloy', response_format: 'mp3', speed: 1 }),
  },
  {
    ...OPENAI,
    route: 'speech',
    path: '/v1/audio/speech',
    answers: 'sse',
    models: ['gpt-4o-mini-tts'],
    body: json({ model: MODEL, input: 'Hello there', voice: 'alloy', stream_format: 'sse' }),
  },
  {
    ...OPENAI,
    route: 'transcriptions',
    path: '/v1/audio/transcriptions',
    answers: 'json',
    models: ['whisper-1', 'gpt-4o-transcribe', 'fz-openai'],
    body: form(
      { name: 'model', value: MODEL },
      sound('file'),
      { name: 'response_format', value: 'json' },
      { name: 'temperature', value: '0' },
    ),
  },
  {
    ...OPENAI,
    route: 'transcriptions',
    path: '/v1/audio/transcriptions',
    answers: 'sse',
    models: ['gpt-4o-transcribe'],
    body: form(sound('file'), { name: 'model', value: MODEL }, { name: 'stream', value: 'true' }),
  },
  {
    ...OPENAI,
    route: 'translations',
    path: '/v1/audio/translations',
    answers: 'any',
    models: ['whisper-1'],
    body: form({ name: 'model', value: MODEL }, sound('file'), { name: 'response_format', value: 'srt' }),
  },
  {
    ...OPENAI,
    route: 'rerank',
    path: '/v1/rerank',
    answers: 'json',
    models: ['fz-openai', 'fz-price'],
    body: json({ model: MODEL, query: 'q', documents: ['a', { text: 'b' }], top_n: 1 }),
  },
  {
    method: 'POST',
    format: 'anthropic',
    route: 'count tokens',
    path: '/v1/messages/count_tokens',
    answers: 'json',
    models: ['fz-anthropic', 'claude-sonnet-4-20250514', 'fz-openai'],
    body: json({ model: MODEL, messages: [{ role: 'user', content: 'Hello' }], system: 'Be brief' }),
  },
  {
    method: 'POST',
    format: 'gemini',
    route: 'count tokens',
    path: '/v1beta/models/{model}:countTokens',
    answers: 'json',
    models: ['fz-gemini', 'gemini-2.5-flash', 'fz-openai'],
    body: json({ contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }),
  },
  {
    method: 'POST',
    format: 'gemini',
    route: 'gemini embeddings',
    path: '/v1beta/models/{model}:embedContent',
    answers: 'json',
    models: ['fz-gemini', 'text-embedding-3-small'],
    body: json({ content: { parts: [{ text: 'Hello' }] }, outputDimensionality: 3 }),
  },
  {
    method: 'POST',
    format: 'gemini',
    route: 'gemini embeddings',
    path: '/v1beta/models/{model}:batchEmbedContents',
    answers: 'json',
    models: ['fz-gemini'],
    body: json({
      requests: [
        { model: 'models/fz-gemini', content: { parts: [{ text: 'a' }] } },
        { model: 'models/fz-gemini', content: { parts: [{ text: 'b' }] } },
      ],
    }),
  },
  ...['/v1/models', '/v1/models/{model}', '/v1/dashboard/billing/subscription', '/dashboard/billing/usage'].map((path): BaseCall => ({
    method: 'GET',
    format: 'openai',
    route: 'lists',
    path,
    answers: 'json',
    models: ['gpt-4o', 'fz-none'],
    body: { kind: 'none' },
  })),
  ...['/v1beta/models', '/v1beta/models/{model}'].map((path): BaseCall => ({
    method: 'GET',
    format: 'gemini',
    route: 'lists',
    path,
    answers: 'json',
    models: ['gpt-4o', 'fz-none'],
    body: { kind: 'none' },
  })),
  { ...OPENAI, route: 'not served', path: '/v1/images/variations', answers: 'json', models: ['dall-e-2'], body: form(image('image')) },
  { ...OPENAI, route: 'not served', path: '/v1/fine-tunes', answers: 'json', models: ['gpt-4o'], body: json({}) },
]

/** Every model route with right calls: the requests of the conformance suite, and one call or more of each other operation. */
export const baseCalls: readonly BaseCall[] = [...chatCalls(), ...otherCalls, ...storedCalls]
