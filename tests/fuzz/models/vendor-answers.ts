import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An answer of a vendor that is right as it stands; cases change it. */
export type VendorAnswer =
  | { readonly kind: 'json'; readonly value: unknown }
  /** Blocks of an event stream, each without its blank line. */
  | { readonly kind: 'sse'; readonly blocks: readonly string[]; /** It reports an error or ends too early. */ readonly isBroken?: boolean }
  | { readonly kind: 'text'; readonly type: string; readonly text: string }
  | { readonly kind: 'bytes'; readonly type: string; readonly bytes: Buffer }

const ANSWERS = join(import.meta.dirname, '../../../libs/providers/src/conformance/__fixtures__/answers')

type Fixtures = { readonly whole: readonly VendorAnswer[]; readonly stream: readonly VendorAnswer[] }

function fixturesOf(format: string): Fixtures {
  const dir = join(ANSWERS, format)
  const names = readdirSync(dir).toSorted()
  const text = (name: string): string => readFileSync(join(dir, name), 'utf8')
  return {
    whole: names
      .filter((name) => name.endsWith('.json') && !name.startsWith('error'))
      .map((name) => ({ kind: 'json', value: JSON.parse(text(name)) as unknown })),
    stream: names
      .filter((name) => name.endsWith('.sse'))
      .map((name) => ({
        kind: 'sse',
        isBroken: /^(?:error|cut)/.test(name),
        blocks: text(name)
          .split('\n\n')
          .filter((block) => block.trim() !== ''),
      })),
  }
}

const chat = fixturesOf('openai-chat')
const responses = fixturesOf('openai-responses')
const messages = fixturesOf('anthropic-messages')
const gemini = fixturesOf('gemini')

const json = (value: unknown): VendorAnswer => ({ kind: 'json', value })
const sse = (...events: object[]): VendorAnswer => ({
  kind: 'sse',
  blocks: [...events.map((event) => `data: ${JSON.stringify(event)}`), 'data: [DONE]'],
})
const only = (...whole: VendorAnswer[]): Fixtures => ({ whole, stream: whole })

const IMAGE_USAGE = { input_tokens: 50, output_tokens: 200, total_tokens: 250, input_tokens_details: { text_tokens: 10, image_tokens: 40 } }
const COUNTED = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 }
const b64_json = Buffer.from('a picture').toString('base64')
const completion = { id: 'cmpl-1', object: 'text_completion', created: 1, model: 'm' }

/** Keyed by the path that the relay calls; the first that matches counts. */
const byPath: readonly (readonly [RegExp, Fixtures])[] = [
  [/\/chat\/completions/, chat],
  [/\/responses\/input_tokens/, only(json({ object: 'response.input_tokens', input_tokens: 77 }))],
  [
    /\/responses\/compact/,
    only(
      json({
        id: 'resp_1',
        object: 'response.compaction',
        created_at: 1,
        output: [{ id: 'cmp_1', type: 'compaction', encrypted_content: 'a' }],
        usage: { input_tokens: 20, output_tokens: 5, total_tokens: 25 },
      }),
    ),
  ],
  [/\/responses/, responses],
  [/\/messages\/count_tokens/, only(json({ input_tokens: 77 }))],
  [/\/messages/, messages],
  [/:countTokens/, only(json({ totalTokens: 78 }))],
  [/:embedContent/, only(json({ embedding: { values: [0.25, -0.5] }, usageMetadata: { promptTokenCount: 9 } }))],
  [/:batchEmbedContents/, only(json({ embeddings: [{ values: [0.25] }, { values: [0.5] }], usageMetadata: { promptTokenCount: 9 } }))],
  [/:(?:stream)?[gG]enerateContent/, gemini],
  [/:predict/, only(json({ predictions: [{ bytesBase64Encoded: b64_json, mimeType: 'image/png' }] }))],
  [
    /\/cachedContents/,
    only(
      json({
        name: 'cachedContents/kept-1',
        model: 'models/gemini-2.5-flash',
        createTime: '2026-11-30T00:00:00Z',
        expireTime: '2099-11-30T00:00:00Z',
        usageMetadata: { totalTokenCount: 5000 },
      }),
    ),
  ],
  [
    /\/embeddings/,
    only(
      json({
        object: 'list',
        model: 'm',
        data: [{ object: 'embedding', index: 0, embedding: [0.25, -0.5, 1] }],
        usage: { prompt_tokens: 9, total_tokens: 9 },
      }),
    ),
  ],
  [/\/moderations/, only(json({ id: 'modr-1', model: 'm', results: [{ flagged: false, categories: {}, category_scores: {} }] }))],
  [
    /\/completions/,
    {
      whole: [
        json({ ...completion, choices: [{ index: 0, text: 'Once upon a time', logprobs: null, finish_reason: 'stop' }], usage: COUNTED }),
      ],
      stream: [
        sse(
          { ...completion, choices: [{ index: 0, text: 'Once', logprobs: null, finish_reason: null }] },
          { ...completion, choices: [{ index: 0, text: '', logprobs: null, finish_reason: 'stop' }] },
          { ...completion, choices: [], usage: COUNTED },
        ),
      ],
    },
  ],
  [
    /\/images\//,
    {
      whole: [
        json({ created: 1, data: [{ b64_json }, { b64_json }], usage: IMAGE_USAGE }),
        json({ created: 1, data: [{ url: 'https://images.example/a.png' }] }),
      ],
      stream: [
        sse(
          { type: 'image_generation.partial_image', b64_json, partial_image_index: 0 },
          { type: 'image_generation.completed', b64_json, usage: IMAGE_USAGE },
        ),
      ],
    },
  ],
  [/\/rerank/, only(json({ id: 'r', results: [{ index: 1, relevance_score: 0.9 }], usage: { total_tokens: 21 } }))],
  [
    /\/audio\/speech/,
    {
      whole: [{ kind: 'bytes', type: 'audio/mpeg', bytes: Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * 7) % 256)) }],
      stream: [
        sse(
          { type: 'speech.audio.delta', audio: b64_json },
          { type: 'speech.audio.done', usage: { input_tokens: 8, output_tokens: 90, total_tokens: 98 } },
        ),
      ],
    },
  ],
  [
    /\/audio\//,
    {
      whole: [
        json({ text: 'Hello', usage: { type: 'duration', seconds: 62 } }),
        json({
          text: 'Hello',
          usage: {
            type: 'tokens',
            input_tokens: 30,
            output_tokens: 6,
            total_tokens: 36,
            input_token_details: { text_tokens: 2, audio_tokens: 28 },
          },
        }),
        { kind: 'text', type: 'text/plain; charset=utf-8', text: '1\n00:00:00,000 --> 00:00:02,000\nHello\n' },
      ],
      stream: [
        sse(
          { type: 'transcript.text.delta', delta: 'Hello' },
          { type: 'transcript.text.done', text: 'Hello', usage: { type: 'tokens', input_tokens: 30, output_tokens: 6, total_tokens: 36 } },
        ),
      ],
    },
  ],
]

const UNKNOWN = only(json({ error: { message: 'no such path', type: 'invalid_request_error', param: null, code: null } }))

/** The answer number `at` for this call. */
export function answerFor(path: string, body: string, at: number): VendorAnswer {
  const found = byPath.find(([pattern]) => pattern.test(path))?.[1] ?? UNKNOWN
  const isStream =
    /:streamGenerateContent/.test(path) ||
    /"stream":\s*true/.test(body) ||
    /"stream_format":\s*"sse"/.test(body) ||
    /name="stream"\r\n\r\ntrue/.test(body)
  const list = isStream ? found.stream : found.whole
  return list[at % list.length] ?? json({})
}
