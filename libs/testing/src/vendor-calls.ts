import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

/** A call to the scripted vendor that is not a chat request. */
export type CallTurn = {
  readonly path: string
  readonly text: string
  readonly reply: ServerResponse
  /** The answer reports usage. */
  readonly hasUsage: boolean
  /** The connection breaks in the middle of a streamed answer. */
  readonly isCut: boolean
}

type Answering = (turn: CallTurn, body: Fields) => Promise<void> | void
type Fields = Readonly<Record<string, unknown>>

export const SPOKEN = 'Hello from the audio.'
export const SOUND = Buffer.from(Array.from({ length: 40_000 }, (_, at) => (at * 7) % 256))
export const EMBEDDING = [0.25, -0.5, 0.125] as const
export const CALL_USAGE = { prompt_tokens: 9, total_tokens: 9 } as const
export const IMAGE_USAGE = {
  input_tokens: 50,
  output_tokens: 200,
  total_tokens: 250,
  input_tokens_details: { text_tokens: 10, image_tokens: 40 },
}
export const TRANSCRIPT_USAGE = {
  type: 'tokens',
  input_tokens: 30,
  output_tokens: 6,
  total_tokens: 36,
  input_token_details: { text_tokens: 2, audio_tokens: 28 },
}

const answers: readonly (readonly [RegExp, Answering])[] = [
  [/^\/v1\/embeddings$/, embeddings],
  [
    /^\/v1\/moderations$/,
    (turn, { model }) => json(turn, { id: 'modr-1', model, results: [{ flagged: false, categories: {}, category_scores: {} }] }),
  ],
  [/^\/v1\/completions$/, completions],
  [/^\/v1\/responses$/, responses],
  [/^\/v1\/images\/(generations|edits)$/, images],
  [
    /^\/v1\/rerank$/,
    (turn) => json(turn, { id: 'r', results: [{ index: 1, relevance_score: 0.9 }], ...usage(turn, { total_tokens: 21 }) }),
  ],
  [/^\/v1\/audio\/speech$/, speech],
  [/^\/v1\/audio\/(transcriptions|translations)$/, transcript],
  [/^\/v1\/messages\/count_tokens$/, (turn) => json(turn, { input_tokens: 77 })],
  [/^\/v1\/responses\/input_tokens$/, (turn) => json(turn, { object: 'response.input_tokens', input_tokens: 76 })],
  [/^\/v1\/responses\/compact$/, compaction],
  [/:countTokens$/, (turn) => json(turn, { totalTokens: 78 })],
  [/:embedContent$/, (turn) => json(turn, { embedding: { values: EMBEDDING }, usageMetadata: { promptTokenCount: 9 } })],
  [/:batchEmbedContents$/, batchEmbed],
]

/** Answers the call by its path; returns false for a chat request. */
export function answerCall(turn: CallTurn): boolean {
  const path = turn.path.replace(/\?.*$/, '').replace(/^\/openai\/deployments\/[^/]+/, '/v1')
  const found = answers.find(([pattern]) => pattern.test(path))
  if (found === undefined) return false
  void found[1]({ ...turn, path }, fieldsOf(turn.text))
  return true
}

function fieldsOf(text: string): Fields {
  if (text.startsWith('{')) return JSON.parse(text) as Fields // what the test sent
  return Object.fromEntries([...text.matchAll(/name="([^"]+)"\r\n\r\n([^\r]*)\r\n/g)].map(([, name = '', value]) => [name, value]))
}

function responses(turn: CallTurn, { model }: Fields): void {
  const content = [{ type: 'output_text', text: 'Hello from the scripted vendor.', annotations: [] }]
  const output = [{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content }]
  const counted = { input_tokens: 12, output_tokens: 6, total_tokens: 18 }
  json(turn, { id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model, output, ...usage(turn, counted) })
}

const usage = ({ hasUsage }: CallTurn, value: object) => (hasUsage ? { usage: value } : {})

function json({ reply }: CallTurn, body: object): void {
  reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const eventOf = (data: object, name?: string) => `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`

async function stream({ reply, isCut }: CallTurn, pieces: readonly (string | Buffer)[], type = 'text/event-stream'): Promise<void> {
  reply.writeHead(200, { 'content-type': type })
  for (const [at, piece] of pieces.entries()) {
    if (isCut && at === pieces.length - 1) return void reply.socket?.destroy()
    reply.write(piece)
    await wait(3)
  }
  reply.end()
}

function embeddings(turn: CallTurn, { model, input, encoding_format, dimensions }: Fields): void {
  const vector = EMBEDDING.slice(0, Number(dimensions ?? EMBEDDING.length))
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4)
  const embedding = encoding_format === 'base64' ? bytes.toString('base64') : vector
  const inputs: readonly unknown[] = Array.isArray(input) && typeof input[0] !== 'number' ? input : [input]
  json(turn, {
    object: 'list',
    model,
    data: inputs.map((_, index) => ({ object: 'embedding', index, embedding })),
    ...usage(turn, CALL_USAGE),
  })
}

function batchEmbed(turn: CallTurn, { requests }: Fields): void {
  const many: readonly unknown[] = Array.isArray(requests) ? requests : []
  json(turn, { embeddings: many.map(() => ({ values: EMBEDDING })), ...(turn.hasUsage ? { usageMetadata: { promptTokenCount: 9 } } : {}) })
}

async function completions(turn: CallTurn, { model, stream: isStream, stream_options }: Fields): Promise<void> {
  const head = { id: 'cmpl-1', object: 'text_completion', created: 1_700_000_000, model }
  const counted = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 }
  const choice = (text: string, finish_reason: string | null) => [{ index: 0, text, logprobs: null, finish_reason }]
  if (isStream !== true) return json(turn, { ...head, choices: choice('Once upon a time', 'stop'), ...usage(turn, counted) })
  const asked = typeof stream_options === 'object' && stream_options !== null
  await stream(turn, [
    ...['Once', ' upon', ' a time'].map((text) => eventOf({ ...head, choices: choice(text, null) })),
    eventOf({ ...head, choices: choice('', 'stop') }),
    ...(asked && turn.hasUsage ? [eventOf({ ...head, choices: [], usage: counted })] : []),
    'data: [DONE]\n\n',
  ])
}

async function images(turn: CallTurn, { model, stream: isStream, n }: Fields): Promise<void> {
  const b64_json = Buffer.from('a picture').toString('base64')
  const isCounted = String(model).startsWith('gpt-image')
  if (String(isStream) !== 'true') {
    const data = Array.from({ length: Number(n ?? 1) }, () => ({ b64_json }))
    return json(turn, { created: 1, data, ...(isCounted ? usage(turn, IMAGE_USAGE) : {}) })
  }
  const kind = turn.path.endsWith('edits') ? 'image_edit' : 'image_generation'
  const part = { type: `${kind}.partial_image`, b64_json, partial_image_index: 0 }
  const last = { type: `${kind}.completed`, b64_json, ...usage(turn, IMAGE_USAGE) }
  await stream(turn, [eventOf(part, part.type), eventOf(last, last.type)])
}

async function speech(turn: CallTurn, { stream_format }: Fields): Promise<void> {
  if (stream_format !== 'sse') {
    const size = SOUND.length / 5
    const pieces = [0, 1, 2, 3, 4].map((at) => SOUND.subarray(at * size, (at + 1) * size))
    return await stream(turn, pieces, 'audio/mpeg')
  }
  const deltas = [SOUND.subarray(0, 20_000), SOUND.subarray(20_000)].map((piece) => ({
    type: 'speech.audio.delta',
    audio: piece.toString('base64'),
  }))
  const done = { type: 'speech.audio.done', ...usage(turn, { input_tokens: 8, output_tokens: 90, total_tokens: 98 }) }
  await stream(
    turn,
    [...deltas, done].map((data) => eventOf(data)),
  )
}

const TEXTS: Readonly<Record<string, readonly [string, string]>> = {
  text: ['text/plain; charset=utf-8', `${SPOKEN}\n`],
  srt: ['text/plain; charset=utf-8', `1\n00:00:00,000 --> 00:00:02,000\n${SPOKEN}\n`],
  vtt: ['text/vtt', `WEBVTT\n\n00:00.000 --> 00:02.000\n${SPOKEN}\n`],
}

async function transcript(turn: CallTurn, { model, response_format, stream: isStream }: Fields): Promise<void> {
  const text = TEXTS[String(response_format)]
  if (text !== undefined) return void turn.reply.writeHead(200, { 'content-type': text[0] }).end(text[1])
  if (response_format === 'verbose_json')
    return json(turn, { task: 'transcribe', language: 'english', duration: 61.3, text: SPOKEN, segments: [] })
  const counted = String(model).startsWith('whisper') ? { type: 'duration', seconds: 62 } : TRANSCRIPT_USAGE
  if (isStream !== 'true') return json(turn, { text: SPOKEN, ...usage(turn, counted) })
  const deltas = ['Hello', ' from', ' the audio.'].map((delta) => ({ type: 'transcript.text.delta', delta }))
  await stream(
    turn,
    [...deltas, { type: 'transcript.text.done', text: SPOKEN, ...usage(turn, counted) }].map((data) => eventOf(data, data.type)),
  )
}

/** https://developers.openai.com/api/reference/resources/responses/methods/compact */
function compaction(turn: CallTurn): void {
  json(turn, {
    id: 'resp_compacted',
    object: 'response.compaction',
    created_at: 1,
    output: [{ id: 'cmp_1', type: 'compaction', encrypted_content: 'sealed' }],
    ...usage(turn, {
      input_tokens: 139,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 438,
      output_tokens_details: { reasoning_tokens: 64 },
      total_tokens: 577,
    }),
  })
}
