import { generateKeyPairSync } from 'node:crypto'
import { BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime'
import { Mistral } from '@mistralai/mistralai'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { createSealer, sealedBy } from '@tollgate/config/sealing'
import { startVendorDirectory, type VendorDirectory } from '@tollgate/testing/vendor-directory'
import { AWS_KEY, bedrock } from '@tollgate/testing/vendor-scripts/bedrock'
import { googleToken, vertexEmbeddings } from '@tollgate/testing/vendor-scripts/vertex'
import { openAiEmbeddings, openAiLike } from '@tollgate/testing/vendor-scripts/openai-like'
import { cohereEmbeddings } from '@tollgate/testing/vendor-scripts/cohere'
import {
  aliImages,
  aliImageTasks,
  baidu,
  cloudflareImages,
  cloudflareTurbo,
  cloudflareWhisper,
  codex,
  coze,
  dify,
  replicate,
} from '@tollgate/testing/vendor-scripts/own-formats'
import { TENCENT_KEY, tencent, tencentAuthorization } from '@tollgate/testing/vendor-scripts/tencent'
import { XUNFEI_KEY, xunfei } from '@tollgate/testing/vendor-scripts/xunfei'
import { aliRerank, cohereRerank, jinaRerank } from '@tollgate/testing/vendor-scripts/rerank'
import { INPUT, OUTPUT, VENDOR_KEY, VENDOR_TEXT, type VendorScript } from '@tollgate/testing/vendor-scripts/script'
import { CohereClientV2 } from 'cohere-ai'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { aWav } from './audio.ts'
import { aChannel, KEY_CHANNELS, openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

/** Channels of many types through the relay: what the vendor gets, what the client gets, and what is charged. */
type Row = {
  readonly type: number
  readonly key?: string
  readonly other?: string
  /** The vendor's name of the model; the client's is that of the row. */
  readonly model: string
  readonly script: VendorScript
}

const AWS = `${AWS_KEY.id}|${AWS_KEY.secret}|${AWS_KEY.region}`
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
/** The sign-in server is that of the scripted vendors. */
const googleKey = (token_uri: string) =>
  JSON.stringify({
    project_id: 'project-1',
    client_email: 'gateway@project-1.example',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_uri,
  })
const GOOGLE = 'google'
const CODEX = JSON.stringify({ access_token: 'access-1', account_id: 'account-1' })
/** Fields that GLM, Mistral and others refuse. */
const NOT_MISTRAL = ['stream_options', 'logprobs', 'logit_bias', 'user', 'store', 'seed', 'max_completion_tokens']

const CHATS: Readonly<Record<string, Row>> = {
  zhipu: {
    type: 26,
    model: 'glm-4.6',
    script: openAiLike({
      path: '/api/paas/v4/chat/completions',
      model: 'glm-4.6',
      refused: ['stream_options', 'frequency_penalty', 'max_completion_tokens'],
      ranges: { temperature: [0, 1], top_p: [0.01, 0.99] },
      streamUsage: 'last chunk',
    }),
  },
  'zhipu-v3': {
    type: 16,
    key: 'id.secret',
    model: 'chatglm_pro',
    script: openAiLike({
      path: '/api/paas/v4/chat/completions',
      model: 'chatglm_pro',
      header: ['authorization', 'Bearer id.secret'],
      ranges: { temperature: [0, 1], top_p: [0.01, 0.99] },
      streamUsage: 'last chunk',
    }),
  },
  ali: {
    type: 17,
    model: 'qwen-plus',
    script: openAiLike({ path: '/compatible-mode/v1/chat/completions', model: 'qwen-plus', ranges: { top_p: [0.001, 0.999] } }),
  },
  xunfei: {
    type: 18,
    key: 'app|secret|name',
    model: 'SparkDesk-v4.0',
    script: openAiLike({
      path: '/v1/chat/completions',
      model: '4.0Ultra',
      header: ['authorization', 'Bearer name:secret'],
      refused: ['stream_options', 'seed', 'max_completion_tokens'],
      streamUsage: 'last chunk',
      extra: { code: 0, message: 'Success', sid: 'cha1' },
    }),
  },
  'xunfei-socket': {
    type: 18,
    key: `${XUNFEI_KEY.app}|${XUNFEI_KEY.secret}|${XUNFEI_KEY.name}`,
    model: 'SparkDesk-v2.1',
    script: xunfei,
  },
  tencent: { type: 23, model: 'hunyuan-pro', script: openAiLike({ path: '/v1/chat/completions', model: 'hunyuan-pro' }) },
  'tencent-signed': {
    type: 23,
    key: `${TENCENT_KEY.app}|${TENCENT_KEY.id}|${TENCENT_KEY.secret}`,
    model: 'hunyuan-pro',
    script: tencent,
  },
  perplexity: {
    type: 27,
    model: 'sonar',
    script: openAiLike({
      path: '/chat/completions',
      model: 'sonar',
      refused: ['stream_options'],
      ranges: { top_p: [0, 0.99] },
      streamUsage: 'every chunk',
    }),
  },
  minimax: {
    type: 35,
    model: 'MiniMax-Text-01',
    script: openAiLike({
      path: '/v1/text/chatcompletion_v2',
      model: 'MiniMax-Text-01',
      streamUsage: 'whole answer at the end',
      extra: { base_resp: { status_code: 0, status_msg: '' } },
    }),
  },
  cloudflare: {
    type: 39,
    other: 'account-1',
    model: '@cf/meta/llama-3.1-8b-instruct',
    script: openAiLike({ path: '/client/v4/accounts/account-1/ai/v1/chat/completions', model: '@cf/meta/llama-3.1-8b-instruct' }),
  },
  mistral: {
    type: 42,
    model: 'mistral-small-latest',
    script: openAiLike({ path: '/v1/chat/completions', model: 'mistral-small-latest', refused: NOT_MISTRAL, streamUsage: 'last chunk' }),
  },
  'baidu-v2': {
    type: 46,
    key: `${VENDOR_KEY}|app-1`,
    model: 'ernie-4.0-8k',
    script: openAiLike({ path: '/v2/chat/completions', model: 'ernie-4.0-8k', headers: { appid: 'app-1' } }),
  },
  cohere: {
    type: 34,
    model: 'command-r',
    script: openAiLike({ path: '/compatibility/v1/chat/completions', model: 'command-r', refused: ['n', 'logit_bias', 'user', 'store'] }),
  },
  'advanced-custom': {
    type: 58,
    other: '{"openai-chat":"/own/{model}/chat"}',
    model: 'my/model',
    script: openAiLike({ path: '/own/my/model/chat', model: 'my/model' }),
  },
  azure: {
    type: 3,
    model: 'gpt-4o',
    script: openAiLike({
      path: '/openai/deployments/gpt-4o/chat/completions?api-version=2025-04-01-preview',
      model: 'gpt-4o',
      header: ['api-key', VENDOR_KEY],
    }),
  },
  'azure-v1': {
    type: 3,
    other: 'v1',
    model: 'gpt-4o-mini',
    script: openAiLike({ path: '/openai/v1/chat/completions', model: 'gpt-4o-mini', header: ['api-key', VENDOR_KEY] }),
  },
  baidu: { type: 15, key: 'api-key|secret-key', model: 'ERNIE-4.0-8K', script: baidu },
  dify: { type: 37, model: 'an-app', script: dify },
  coze: { type: 49, other: 'bot-1', model: 'a-bot', script: coze },
  replicate: { type: 56, model: 'maker/writer', script: replicate },
  bedrock: { type: 33, key: AWS, model: 'amazon.nova-lite-v1:0', script: bedrock },
  codex: { type: 57, key: CODEX, model: 'gpt-5-codex', script: codex },
}

const EMBEDDINGS: Readonly<Record<string, Row>> = {
  'ali-vectors': {
    type: 17,
    model: 'text-embedding-v4',
    script: openAiEmbeddings({ path: '/compatible-mode/v1/embeddings', model: 'text-embedding-v4' }),
  },
  'zhipu-vectors': {
    type: 26,
    model: 'embedding-3',
    script: openAiEmbeddings({ path: '/api/paas/v4/embeddings', model: 'embedding-3' }),
  },
  'mistral-vectors': { type: 42, model: 'mistral-embed', script: openAiEmbeddings({ path: '/v1/embeddings', model: 'mistral-embed' }) },
  'mokaai-vectors': { type: 44, model: 'm3e-base', script: openAiEmbeddings({ path: '/embeddings', model: 'm3e-base' }) },
  'jina-vectors': {
    type: 38,
    model: 'jina-embeddings-v3',
    script: openAiEmbeddings({ path: '/v1/embeddings', model: 'jina-embeddings-v3' }),
  },
  'cloudflare-vectors': {
    type: 39,
    other: 'account-1',
    model: '@cf/baai/bge-m3',
    script: openAiEmbeddings({ path: '/client/v4/accounts/account-1/ai/v1/embeddings', model: '@cf/baai/bge-m3' }),
  },
  'vertex-vectors': { type: 41, key: GOOGLE, other: 'europe-west4', model: 'text-embedding-005', script: vertexEmbeddings },
  'cohere-vectors': {
    type: 34,
    model: 'embed-v4.0',
    script: cohereEmbeddings,
  },
}

const RERANKS: Readonly<Record<string, Row>> = {
  'ali-rank': { type: 17, model: 'qwen3-rerank', script: aliRerank },
  'jina-rank': { type: 38, model: 'jina-reranker-v2-base-multilingual', script: jinaRerank },
  'cohere-rank': { type: 34, model: 'rerank-v3.5', script: cohereRerank },
}

const IMAGES: Readonly<Record<string, Row>> = {
  'replicate-images': { type: 56, model: 'maker/painter', script: replicate },
  'cloudflare-images': { type: 39, other: 'account-1', model: '@cf/black-forest-labs/flux-1-schnell', script: cloudflareImages },
  'ali-image-tasks': { type: 17, model: 'wan2.2-t2i-flash', script: aliImageTasks },
  'ali-images': { type: 17, model: 'qwen-image', script: aliImages },
}

const SPEECH: Readonly<Record<string, Row>> = {
  'cloudflare-whisper': { type: 39, other: 'account-1', model: '@cf/openai/whisper', script: cloudflareWhisper },
  'cloudflare-turbo': { type: 39, other: 'account-1', model: '@cf/openai/whisper-large-v3-turbo', script: cloudflareTurbo },
}

const ROWS: Readonly<Record<string, Row>> = { ...CHATS, ...EMBEDDINGS, ...RERANKS, ...IMAGES, ...SPEECH }
const COMPLETION_RATIO = 4
const PRODUCED = INPUT + OUTPUT * COMPLETION_RATIO
const IMAGE_PRICE = 0.02
const QUOTA_PER_UNIT = 500_000

let testbed: Testbed
let relay: TestRelay
let vendors: VendorDirectory
let account: Account

beforeAll(async () => {
  const scripts = Object.fromEntries(Object.entries(ROWS).map(([name, { script }]) => [name, script]))
  vendors = await startVendorDirectory({ ...scripts, 'google-token': googleToken })
  testbed = await openTestbed()
  const sealer = createSealer(KEY_CHANNELS)
  const channels = Object.entries(ROWS).map(([name, { type, key = VENDOR_KEY, other = '', model }], at) => {
    const id = at + 1
    const key_sealed = sealer.seal(key === GOOGLE ? googleKey(`${vendors.url}/google-token`) : key, sealedBy.channelKey(id))
    return aChannel(`${vendors.url}/${name}`, { id, type, other, key_sealed, models: [name], model_mapping: { [name]: model } })
  })
  const prices = Object.keys(ROWS).map((model) =>
    model in IMAGES ? { model, price: IMAGE_PRICE } : { model, ratio: 1, completion_ratio: COMPLETION_RATIO },
  )
  await testbed.publish({ channels, prices, options: { RetryTimes: '0' } })
  relay = await testbed.startRelay()
  account = await testbed.anAccount()
})
afterAll(async () => {
  await testbed.close()
  await vendors.stop()
})

const post = async (path: string, body: object) => {
  const answer = await fetch(`${relay.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${account.key}` },
    body: JSON.stringify(body),
  })
  return { status: answer.status, id: answer.headers.get('x-request-id') ?? '', text: await answer.text() }
}

const settled = async (request_id: string) =>
  await vi.waitFor(async () => {
    const event = (await testbed.eventsOf(account)).find((one) => one.request_id === request_id)
    if (event === undefined) throw new Error('not settled yet')
    return event
  })

/** Fields that clients of OpenAI's library send, which many vendors refuse in part. */
const ASKED = {
  messages: [{ role: 'user', content: 'Say hello' }],
  temperature: 1.5,
  top_p: 1,
  max_completion_tokens: 50,
  seed: 7,
  user: 'a-user',
  frequency_penalty: 0.5,
}

/** Why the vendor refused calls for the model. */
const refusalsOf = (model: string) => vendors.refusals.filter((refusal) => refusal.startsWith(`${model}: `))

type Chat = {
  readonly choices: readonly { readonly message?: { content: string }; readonly delta?: { content?: string } }[]
  usage?: object | null
}

const USAGE = { prompt_tokens: INPUT, completion_tokens: OUTPUT }

it.each(Object.keys(CHATS))('%s answers whole, and is paid for what it reports', async (model) => {
  const got = await post('/v1/chat/completions', { model, ...ASKED })

  expect([refusalsOf(model), got.status]).toEqual([[], 200])
  const { choices, usage } = JSON.parse(got.text) as Chat // asserted below
  expect(choices[0]?.message?.content).toBe(VENDOR_TEXT)
  expect(usage).toMatchObject(USAGE)
  expect(await settled(got.id)).toMatchObject({ charge: PRODUCED, body: { usage: { source: 'upstream' } } })
})

it.each(Object.keys(CHATS))('%s streams, and is paid for what it reports', async (model) => {
  const got = await post('/v1/chat/completions', { model, ...ASKED, stream: true, stream_options: { include_usage: true } })

  expect([refusalsOf(model), got.status]).toEqual([[], 200])
  const events = got.text.split('\n\n').filter((event) => event.startsWith('data: {'))
  const chunks = events.map((event) => JSON.parse(event.slice('data: '.length)) as Chat) // asserted below
  expect(chunks.map(({ choices }) => choices[0]?.delta?.content ?? '').join('')).toBe(VENDOR_TEXT)
  expect(got.text.endsWith('data: [DONE]\n\n')).toBe(true)
  const { charge, body } = await settled(got.id)
  // Replicate's streams state no usage: it is counted.
  if (model === 'replicate') expect([body.usage.source, charge > 0]).toEqual(['estimated', true])
  else {
    expect(chunks.findLast(({ usage }) => usage !== undefined && usage !== null)?.usage).toMatchObject(USAGE)
    expect([body.usage.source, charge]).toEqual(['upstream', PRODUCED])
  }
})

it('names what a vendor does not get, also of a converted request', async () => {
  const warningsOf = async (model: string) =>
    (await settled((await post('/v1/chat/completions', { model, ...ASKED })).id)).body.explanation.warnings

  expect(await warningsOf('codex')).toEqual(expect.arrayContaining(['temperature', 'top_p', 'user', 'seed']))
  expect(await warningsOf('mistral')).toEqual(['user'])
})

it.each(Object.keys(EMBEDDINGS))('%s embeds, and is paid for what it reports', async (model) => {
  const got = await post('/v1/embeddings', { model, input: ['one', 'two'] })

  expect([refusalsOf(model), got.status]).toEqual([[], 200])
  expect(JSON.parse(got.text)).toMatchObject({ data: [{ embedding: [0.25, -0.5] }, { index: 1 }], usage: { prompt_tokens: INPUT } })
  expect(await settled(got.id)).toMatchObject({ charge: INPUT, body: { usage: { source: 'upstream' } } })
})

it('embeds a body that a body worker encodes, in the form that the vendor prefers', async () => {
  const got = await post('/v1/embeddings', { model: 'cohere-vectors', input: ['one', 'word '.repeat(60_000)] })

  expect([refusalsOf('cohere-vectors'), got.status]).toEqual([[], 200])
  expect(JSON.parse(got.text)).toMatchObject({ data: [{ embedding: [0.25, -0.5] }, { index: 1 }] })
  expect(await settled(got.id)).toMatchObject({ charge: INPUT })
})

const TOO_MANY = Array.from({ length: 97 }, (_, at) => `text ${at}`)

it.each([
  ['a body that is read here', TOO_MANY],
  ['a body that a body worker reads', TOO_MANY.map((text) => text + ' word'.repeat(1000))],
])('refuses more texts than Cohere takes in one call, without asking it: %s', async (_, input) => {
  const got = await post('/v1/embeddings', { model: 'cohere-vectors', input })

  expect([refusalsOf('cohere-vectors'), got.status]).toEqual([[], 400])
  expect(JSON.parse(got.text)).toMatchObject({ error: { message: expect.stringContaining('has 97 texts'), param: 'input' } })
})

it('serves clients of Google’s embeddings from Cohere, up to as many texts as it takes', async () => {
  const requestsOf = (texts: readonly string[]) => texts.map((text) => ({ model: 'models/cohere-vectors', content: { parts: [{ text }] } }))
  const embed = (texts: readonly string[]) => post('/v1beta/models/cohere-vectors:batchEmbedContents', { requests: requestsOf(texts) })
  const [two, many] = [await embed(['one', 'two']), await embed(TOO_MANY)]

  expect([refusalsOf('cohere-vectors'), two.status, many.status]).toEqual([[], 200, 400])
  expect(JSON.parse(two.text)).toMatchObject({ embeddings: [{ values: [0.25, -0.5] }, { values: [0.25, -0.5] }] })
  expect(await settled(two.id)).toMatchObject({ charge: INPUT, body: { usage: { source: 'upstream' } } })
  expect(JSON.parse(many.text)).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } })
})

it.each(Object.keys(RERANKS))('%s ranks documents', async (model) => {
  const got = await post('/v1/rerank', { model, query: 'q', documents: ['one', 'two'], top_n: 2 })

  expect([refusalsOf(model), got.status]).toEqual([[], 200])
  expect(JSON.parse(got.text)).toMatchObject({ results: [{ index: 0, relevance_score: 0.9 }, { index: 1 }] })
  const { charge, body } = await settled(got.id)
  // Cohere counts searches, not tokens.
  if (model === 'cohere-rank') expect([body.usage.source, charge > 0]).toEqual(['estimated', true])
  else expect([body.usage.source, charge]).toEqual(['upstream', INPUT])
})

it.each(Object.keys(IMAGES))('%s are drawn, and paid per call', async (model) => {
  const got = await post('/v1/images/generations', { model, prompt: 'a cat', size: '1024x1024' })

  expect([refusalsOf(model), got.status]).toEqual([[], 200])
  const image = model === 'cloudflare-images' ? { b64_json: 'aGVsbG8=' } : { url: 'https://images.example/1.webp' }
  expect(JSON.parse(got.text)).toMatchObject({ data: [image] })
  expect((await settled(got.id)).charge).toBe(IMAGE_PRICE * QUOTA_PER_UNIT)
})

describe('speech on Workers AI', () => {
  const speak = async (path: string, fields: Readonly<Record<string, string>>) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.set(name, value)
    body.set('file', new Blob([aWav(2)]), 'speech.wav')
    const answer = await fetch(`${relay.url}/v1/audio/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${account.key}` },
      body,
    })
    const id = answer.headers.get('x-request-id') ?? ''
    return { status: answer.status, id, type: answer.headers.get('content-type'), text: await answer.text() }
  }

  it('is written down from the bytes of the file, and paid by its length', async () => {
    const got = await speak('transcriptions', { model: 'cloudflare-whisper' })

    expect([refusalsOf('cloudflare-whisper'), got.status, JSON.parse(got.text)]).toEqual([[], 200, { text: VENDOR_TEXT }])
    expect((await settled(got.id)).body.usage).toMatchObject({ seconds: 2, source: 'upstream' })
  })

  it.each([
    ['text', 'text/plain; charset=utf-8', VENDOR_TEXT],
    ['vtt', 'text/vtt; charset=utf-8', `WEBVTT\n\n${VENDOR_TEXT}`],
  ])('is answered as %s', async (response_format, type, text) => {
    expect(await speak('transcriptions', { model: 'cloudflare-whisper', response_format })).toMatchObject({ status: 200, type, text })
  })

  it.each([
    ['transcriptions', 'transcribe'],
    ['translations', 'translate'],
  ])('reaches the turbo model by %s', async (path, task) => {
    const got = await speak(path, { model: 'cloudflare-turbo', prompt: 'Names' })

    expect([refusalsOf('cloudflare-turbo'), got.status, JSON.parse(got.text)]).toEqual([[], 200, { text: `${task}: ${VENDOR_TEXT}` }])
    expect((await settled(got.id)).body.usage).toMatchObject({ seconds: 3, source: 'upstream' })
  })

  it('is refused in a form that the vendor does not have', async () => {
    const got = await speak('transcriptions', { model: 'cloudflare-whisper', response_format: 'verbose_json' })

    expect([got.status, JSON.parse(got.text)]).toMatchObject([400, { error: { param: 'response_format' } }])
  })
})

it('asks Baidu for one access token, however many calls need it', async () => {
  await Promise.all(Array.from({ length: 5 }, () => post('/v1/chat/completions', { model: 'baidu', ...ASKED })))

  expect(vendors.granted()).toBe(1)
})

it('the signature that the scripted Tencent expects is that of the example in its reference', () => {
  const authorization = tencentAuthorization({
    service: 'cvm',
    host: 'cvm.tencentcloudapi.com',
    type: 'application/json; charset=utf-8',
    timestamp: 1_551_113_065,
    body: String.raw`{"Limit": 1, "Filters": [{"Values": ["\u672a\u547d\u540d"], "Name": "instance-name"}]}`,
    id: 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE',
    secret: 'Gu5t9xGARNpq86cd98joQYCN3EXAMPLE',
  })

  expect(authorization).toBe(
    'TC3-HMAC-SHA256 Credential=AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE/2019-02-25/cvm/tc3_request, SignedHeaders=content-type;host, ' +
      'Signature=72e494ea809ad7a8c8f7a4507b9bddcbaa8e581f516e8da2f66e2c5a96525168',
  )
})

/** The scripted vendors are right if the vendors' own libraries accept them. */
describe('the vendor’s own library', () => {
  it('Mistral', async () => {
    const sdk = new Mistral({ apiKey: VENDOR_KEY, serverURL: `${vendors.url}/mistral` })
    const asked = { model: 'mistral-small-latest', messages: [{ role: 'user' as const, content: 'Say hello' }] }

    const whole = await sdk.chat.complete(asked)
    const chunks = []
    for await (const { data } of await sdk.chat.stream(asked)) chunks.push(data)

    expect(whole).toMatchObject({
      choices: [{ message: { content: VENDOR_TEXT } }],
      usage: { promptTokens: INPUT, completionTokens: OUTPUT },
    })
    const texts = chunks.map(({ choices }) => choices[0]?.delta.content).filter((content) => typeof content === 'string')
    expect(texts.join('')).toBe(VENDOR_TEXT)
    expect(chunks.at(-1)?.usage).toMatchObject({ promptTokens: INPUT, completionTokens: OUTPUT })
  })

  it('Cohere', async () => {
    const sdk = new CohereClientV2({ token: VENDOR_KEY, environment: `${vendors.url}/cohere-rank` })

    const { results, meta } = await sdk.rerank({ model: 'rerank-v3.5', query: 'q', documents: ['one', 'two'] })

    expect(results).toEqual([
      { index: 0, relevanceScore: 0.9 },
      { index: 1, relevanceScore: 0.8 },
    ])
    expect(meta?.billedUnits?.searchUnits).toBe(1)
  })

  it('Cohere, for embeddings', async () => {
    const sdk = new CohereClientV2({ token: VENDOR_KEY, environment: `${vendors.url}/cohere-vectors` })

    const { embeddings, meta } = await sdk.embed({
      model: 'embed-v4.0',
      inputType: 'search_query',
      texts: ['one', 'two'],
      embeddingTypes: ['float'],
    })

    expect(embeddings.float).toEqual([
      [0.25, -0.5],
      [0.25, -0.5],
    ])
    expect(meta?.billedUnits?.inputTokens).toBe(INPUT)
  })

  it('AWS, whose signature and event stream are those of the relay', async () => {
    const sdk = new BedrockRuntimeClient({
      region: AWS_KEY.region,
      endpoint: `${vendors.url}/bedrock`,
      credentials: { accessKeyId: AWS_KEY.id, secretAccessKey: AWS_KEY.secret },
      requestHandler: new NodeHttpHandler(),
      maxAttempts: 1,
    })
    const input = { modelId: 'amazon.nova-lite-v1:0', messages: [{ role: 'user' as const, content: [{ text: 'Say hello' }] }] }

    const whole = await sdk.send(new ConverseCommand(input))
    const { stream = [] } = await sdk.send(new ConverseStreamCommand(input))
    const events = []
    for await (const event of stream) events.push(event)

    const usage = { inputTokens: INPUT, outputTokens: OUTPUT, totalTokens: INPUT + OUTPUT }
    expect(whole).toMatchObject({ stopReason: 'end_turn', usage, output: { message: { content: [{ text: VENDOR_TEXT }] } } })
    expect(events.map(({ contentBlockDelta }) => contentBlockDelta?.delta?.text ?? '').join('')).toBe(VENDOR_TEXT)
    expect(events.at(-1)).toMatchObject({ metadata: { usage } })
  })
})
