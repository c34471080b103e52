import { describe, expect, it } from 'vitest'
import { optionTable } from '@tollgate/contracts/options/registry'
import { catalogue, knownModels, ownerOf, presetModels } from '../catalogue.ts'
import type { CallFacts } from '../calls/api-format.ts'
import { authHeaders, urlFor } from './address.ts'
import { ChannelType, findVendor, vendors } from './index.ts'
import { toCatalogueEntry } from '../to-catalogue-entry.ts'
import { vertex } from './vertex/manifest.ts'
import { formatsOf } from './vendor.ts'

/** The last type that the specification lists; a vendor added since then has a greater number. */
const LAST_SPECIFIED = 58
const isSpecified = (type: number): boolean => type <= LAST_SPECIFIED

describe('the registry', () => {
  it('registers every vendor under its own number', () => {
    expect(Object.entries(vendors).filter(([type, vendor]) => Number(type) !== vendor.channelType)).toEqual([])
    expect(Object.keys(vendors)).toHaveLength(Object.keys(ChannelType).length)
  })

  it('supports the promised vendors', () => {
    const spoken = [
      ChannelType.OpenAI,
      ChannelType.Custom,
      ChannelType.DeepSeek,
      ChannelType.Moonshot,
      ChannelType.OpenRouter,
      ChannelType.SiliconFlow,
      ChannelType.XAI,
    ]

    expect(spoken.filter((type) => !formatsOf(vendors[type], 'any').includes('openai-chat'))).toEqual([])
    expect(formatsOf(vendors[ChannelType.Anthropic], 'any')).toContain('anthropic-messages')
    expect(formatsOf(vendors[ChannelType.Gemini], 'any')).toContain('gemini')
  })

  it('does not find numbers without a vendor', () => {
    const next = Math.max(...Object.values(ChannelType)) + 1

    expect([0, 28, 29, 30, 32, next].map(findVendor)).toEqual(Array.from({ length: 6 }))
  })

  it('has a name for every vendor in both languages', () => {
    expect(Object.values(vendors).filter(({ name }) => name.zh.trim() === '' || name.en.trim() === '')).toEqual([])
    expect(Object.values(vendors).filter(({ name }) => /[\u4e00-\u9fff]/.test(name.en))).toEqual([])
  })

  it('cites a public reference for every vendor that is offered, except MokaAI, which has published none', () => {
    const uncited = Object.values(vendors).filter(({ isSelectable, reference }) => isSelectable && reference === undefined)

    expect(uncited.map(({ channelType }) => channelType)).toEqual([ChannelType.MokaAI])
  })

  it('has base URLs without a trailing slash, and no duplicate preset models', () => {
    for (const { baseUrl, models } of Object.values(vendors)) {
      expect(baseUrl).toMatch(/^(https?:\/\/[^\s]+[^/])?$/)
      expect(new Set(models).size).toBe(models.length)
    }
  })
})

const CALL: CallFacts = {
  format: 'openai-chat',
  model: 'my model',
  is_stream: false,
  other: '',
  key: '',
  gemini_version: 'v1beta',
  query: '',
}

describe('urlFor', () => {
  it.each([
    ['the vendor’s address', ChannelType.OpenAI, '', 'https://api.openai.com/v1/chat/completions'],
    ['the channel’s', ChannelType.OpenAI, 'https://proxy.example/openai', 'https://proxy.example/openai/v1/chat/completions'],
    ['a slash at its end', ChannelType.OpenAI, 'https://proxy.example/', 'https://proxy.example/v1/chat/completions'],
    [
      'Cloudflare’s gateway has no version in its path',
      ChannelType.OpenAI,
      'https://gateway.ai.cloudflare.com/v1/acc/gw/openai',
      'https://gateway.ai.cloudflare.com/v1/acc/gw/openai/chat/completions',
    ],
    [
      'the whole address, the model inside',
      ChannelType.Custom,
      'https://own.example/{model}/go?v=1',
      'https://own.example/my%20model/go?v=1',
    ],
    ['a path of its own', ChannelType.VolcEngine, '', 'https://ark.cn-beijing.volces.com/api/v3/chat/completions'],
    ['no address at all', ChannelType.Custom, '', undefined],
    [
      'Hunyuan’s compatible host instead of the signed one',
      ChannelType.Tencent,
      '',
      'https://api.hunyuan.cloud.tencent.com/v1/chat/completions',
    ],
    ['none without a Cloudflare account', ChannelType.Cloudflare, '', undefined],
    ['Spark’s HTTP host', ChannelType.Xunfei, '', 'https://spark-api-open.xf-yun.com/v1/chat/completions'],
  ] as const)('is %s', (_, type, base_url, expected) => {
    expect(urlFor(vendors[type], base_url, CALL)).toBe(expected)
  })

  it('puts the model and method into Gemini’s path, and keeps the client’s query', () => {
    const call: CallFacts = { ...CALL, format: 'gemini', model: 'gemini-2.5-pro' }
    const base = 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro'

    expect(urlFor(vendors[ChannelType.Gemini], '', { ...call, query: '?x=1' })).toBe(`${base}:generateContent?x=1`)
    expect(urlFor(vendors[ChannelType.Gemini], '', { ...call, is_stream: true, query: '?x=1' })).toBe(
      `${base}:streamGenerateContent?alt=sse&x=1`,
    )
  })

  it('sends Volcengine’s bots to their own path', () => {
    expect(urlFor(vendors[ChannelType.VolcEngine], '', { ...CALL, model: 'bot-2025' })).toBe(
      'https://ark.cn-beijing.volces.com/api/v3/bots/chat/completions',
    )
  })
})

describe('derived addresses', () => {
  const account = JSON.stringify({ project_id: 'my-project', client_email: 'x', private_key: 'y' })
  const addressOf = (type: ChannelType, call: Partial<CallFacts>, base = '') => urlFor(vendors[type], base, { ...CALL, ...call })
  const google = 'https://us-east5-aiplatform.googleapis.com/v1/projects/my-project/locations/us-east5/publishers'

  it.each([
    [
      'Azure names the deployment and a version',
      ChannelType.AzureOpenAI,
      { model: 'gpt-4o' },
      'https://own.example/openai/deployments/gpt-4o/chat/completions?api-version=2025-04-01-preview',
    ],
    [
      'Azure’s version is the client’s, then the channel’s; the rest of the query is dropped',
      ChannelType.AzureOpenAI,
      { model: 'gpt-4o', other: '2024-10-21', query: '?api-version=2024-06-01&x=1' },
      'https://own.example/openai/deployments/gpt-4o/chat/completions?api-version=2024-06-01',
    ],
    [
      'Azure’s v1 API has no deployment either',
      ChannelType.AzureOpenAI,
      { model: 'gpt-5', other: 'v1' },
      'https://own.example/openai/v1/chat/completions',
    ],
    [
      'an advanced channel has a path for each format',
      ChannelType.AdvancedCustom,
      { model: 'org/m', other: '{"openai-chat":"/run/{model}"}' },
      'https://own.example/run/org/m',
    ],
    [
      'Azure’s responses have no deployment',
      ChannelType.AzureOpenAI,
      { format: 'openai-responses' },
      'https://own.example/openai/v1/responses?api-version=preview',
    ],
  ] as const)('%s', (_, type, call, expected) => {
    expect(addressOf(type, call, 'https://own.example')).toBe(expected)
  })

  it.each([
    ['a model of Google', { format: 'gemini', model: 'gemini-2.5-pro' }, `${google}/google/models/gemini-2.5-pro:generateContent`],
    [
      'a stream of it',
      { format: 'gemini', model: 'gemini-2.5-pro', is_stream: true },
      `${google}/google/models/gemini-2.5-pro:streamGenerateContent?alt=sse`,
    ],
    [
      'a model of Anthropic, with its date behind an @',
      { format: 'anthropic-messages', model: 'claude-sonnet-4-20250514' },
      `${google}/anthropic/models/claude-sonnet-4%4020250514:rawPredict`,
    ],
    [
      'an embedding model after 001',
      { format: 'gemini-embed-content', model: 'gemini-embedding-2' },
      `${google}/google/models/gemini-embedding-2:embedContent`,
    ],
    ['Imagen', { format: 'gemini-predict', model: 'imagen-4.0-generate-001' }, `${google}/google/models/imagen-4.0-generate-001:predict`],
  ] as const)('Vertex: %s', (_, call, expected) => {
    expect(addressOf(ChannelType.VertexAI, { ...call, key: account, other: 'us-east5' })).toBe(expected)
  })

  it.each([
    ['us', 'https://aiplatform.us.rep.googleapis.com/v1/projects/my-project/locations/us/'],
    ['eu', 'https://aiplatform.eu.rep.googleapis.com/v1/projects/my-project/locations/eu/'],
    ['', 'https://aiplatform.googleapis.com/v1/projects/my-project/locations/global/'],
  ])('Vertex: the host of the region %j', (other, start) => {
    expect(addressOf(ChannelType.VertexAI, { format: 'gemini', model: 'gemini-3-pro', key: account, other })?.startsWith(start)).toBe(true)
  })

  it.each([
    ['deepseek-ai/deepseek-v3.2-maas', ['openai-chat']],
    ['openai/gpt-oss-120b-maas', ['openai-chat']],
    ['qwen/qwen3-next-80b-a3b-instruct-maas', ['openai-chat']],
    ['meta/llama-4-maverick-17b-128e-instruct-maas', ['openai-chat']],
    ['gemini-3-pro', ['gemini', 'gemini-token-count']],
    ['google/gemini-3-pro', ['gemini', 'gemini-token-count']],
    ['gemini-embedding-2', ['gemini-embed-content']],
    ['imagen-4.0-generate-001', ['gemini-predict']],
    ['gemini-embedding-001', ['vertex-embeddings']],
    ['claude-sonnet-4-6', ['anthropic-messages', 'anthropic-token-count']],
    ['mistral-medium-3', ['openai-chat']],
  ])('Vertex: the format of %s', (model, formats) => {
    expect(formatsOf(vertex, model)).toEqual(formats)
  })

  it('Vertex: a region by model, the global one without a region in its host, and nothing for a key of another form', () => {
    const other = JSON.stringify({ default: 'global', 'gemini-2.5-pro': 'europe-west1' })
    const gemini: Partial<CallFacts> = { format: 'gemini', key: account, other }

    expect(addressOf(ChannelType.VertexAI, { ...gemini, model: 'gemini-2.5-pro' })).toMatch(/^https:\/\/europe-west1-aiplatform/)
    expect(addressOf(ChannelType.VertexAI, { ...gemini, model: 'gemini-2.5-flash' })).toMatch(
      /^https:\/\/aiplatform\.googleapis\.com.*locations\/global/,
    )
    expect(addressOf(ChannelType.VertexAI, { ...gemini, key: 'sk-plain' })).toBeUndefined()
  })

  it.each([
    ['claude-3-haiku-20240307', 'Ak|Sk|us-east-1', 'us-east-1', 'anthropic.claude-3-haiku-20240307-v1%3A0'],
    ['claude-3-5-sonnet-20241022', 'Ak|Sk|us-west-2', 'us-west-2', 'us.anthropic.claude-3-5-sonnet-20241022-v2%3A0'],
    ['claude-sonnet-4-20250514', 'api-key|ap-northeast-1', 'ap-northeast-1', 'apac.anthropic.claude-sonnet-4-20250514-v1%3A0'],
    ['claude-opus-4-6', 'Ak|Sk|us-east-1', 'us-east-1', 'us.anthropic.claude-opus-4-6-v1'],
    ['claude-sonnet-4-6', 'Ak|Sk|eu-west-1', 'eu-west-1', 'eu.anthropic.claude-sonnet-4-6'],
    ['claude-sonnet-4-5-20250929', 'Ak|Sk|us-gov-west-1', 'us-gov-west-1', 'us-gov.anthropic.claude-sonnet-4-5-20250929-v1%3A0'],
    ['claude-sonnet-4-6', 'Ak|Sk|ap-northeast-1', 'ap-northeast-1', 'jp.anthropic.claude-sonnet-4-6'],
    ['claude-haiku-4-5-20251001', 'Ak|Sk|ap-southeast-2', 'ap-southeast-2', 'au.anthropic.claude-haiku-4-5-20251001-v1%3A0'],
    ['claude-opus-4-7', 'Ak|Sk|ap-south-1', 'ap-south-1', 'global.anthropic.claude-opus-4-7'],
    ['claude-opus-4-5-20251101', 'Ak|Sk|ap-northeast-1', 'ap-northeast-1', 'global.anthropic.claude-opus-4-5-20251101-v1%3A0'],
    ['claude-sonnet-4-6', 'Ak|Sk|sa-east-1', 'sa-east-1', 'global.anthropic.claude-sonnet-4-6'],
    ['eu.anthropic.claude-x-v1:0', 'Ak|Sk|eu-central-1', 'eu-central-1', 'eu.anthropic.claude-x-v1%3A0'],
  ])('Bedrock: %s', (model, key, region, id) => {
    const base = `https://bedrock-runtime.${region}.amazonaws.com/model/${id}`

    expect(addressOf(ChannelType.Bedrock, { model, key })).toBe(`${base}/invoke`)
    expect(addressOf(ChannelType.Bedrock, { model, key, is_stream: true })).toBe(`${base}/invoke-with-response-stream`)
  })

  it('Bedrock: a key without a region has no address', () => {
    expect(addressOf(ChannelType.Bedrock, { key: 'lonely' })).toBeUndefined()
  })
})

it('sends the organization to OpenAI only', () => {
  expect(authHeaders(vendors[ChannelType.OpenAI], 'k', 'org-1')).toEqual({ authorization: 'Bearer k', 'openai-organization': 'org-1' })
  expect(authHeaders(vendors[ChannelType.OpenAI], 'k', '')).toEqual({ authorization: 'Bearer k' })
  expect(authHeaders(vendors[ChannelType.DeepSeek], 'k', 'org-1')).toEqual({ authorization: 'Bearer k' })
})

it('sends the part of a composite key that is the token', () => {
  expect(authHeaders(vendors[ChannelType.Xunfei], 'app|secret|name', '')).toEqual({ authorization: 'Bearer name:secret' })
  expect(authHeaders(vendors[ChannelType.Xunfei], 'password', '')).toEqual({ authorization: 'Bearer password' })
  expect(authHeaders(vendors[ChannelType.BaiduV2], 'key|app', '')).toEqual({ authorization: 'Bearer key' })
  expect(vendors[ChannelType.BaiduV2].headers?.({ ...CALL, key: 'key|app' })).toEqual({ appid: 'app' })
})

it('speaks on an advanced channel what its field states, and nothing without one', () => {
  const other = '{"anthropic-messages":"https://a.example/v1/messages","openai-chat":"/v1/chat/completions"}'

  expect(formatsOf(vendors[ChannelType.AdvancedCustom], 'm', other)).toEqual(['openai-chat', 'anthropic-messages'])
  expect(formatsOf(vendors[ChannelType.AdvancedCustom], 'm', '')).toEqual([])
})

it('names the account of a subscription in a header, and sends only its access token', () => {
  const key = '{"access_token":"eyJ.a","account_id":"acc","refresh_token":"r"}'

  expect(authHeaders(vendors[ChannelType.Codex], key, '')).toEqual({ authorization: 'Bearer eyJ.a' })
  expect(vendors[ChannelType.Codex].headers?.({ ...CALL, format: 'openai-responses', key })).toMatchObject({ 'chatgpt-account-id': 'acc' })
})

it('reads the file in which Codex keeps its tokens, and the account from the token if nothing else states it', () => {
  const claims = { 'https://api.openai.com/auth': { chatgpt_account_id: 'acc' } }
  const access_token = `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`
  const key = JSON.stringify({ OPENAI_API_KEY: null, tokens: { access_token } })

  expect(authHeaders(vendors[ChannelType.Codex], key, '')).toEqual({ authorization: `Bearer ${access_token}` })
  expect(vendors[ChannelType.Codex].headers?.({ ...CALL, format: 'openai-responses', key })).toMatchObject({ 'chatgpt-account-id': 'acc' })
})

it('gives Codex its input as a list, without messages of the system', () => {
  const call = { ...CALL, format: 'openai-responses' } as const
  const patched = vendors[ChannelType.Codex].patch?.({ model: 'm', input: [{ role: 'system', content: 'x' }], top_p: 1 }, call)

  expect(patched).toEqual({ instructions: '', model: 'm', input: [{ role: 'developer', content: 'x' }], store: false, stream: true })
})

describe('the catalogue', () => {
  it('is that of the manifests', () => {
    const entries = Object.values(vendors).map(toCatalogueEntry)

    expect(catalogue).toEqual(entries.toSorted((left, right) => left.type - right.type))
  })

  it('lists every type once, in ascending order', () => {
    const types = catalogue.map(({ type }) => type)

    expect(types).toEqual(Object.values(ChannelType).toSorted((left, right) => left - right))
  })

  it('does not offer discontinued and retired types', () => {
    expect(
      catalogue
        .filter(({ isSelectable }) => !isSelectable)
        .map(({ type }) => type)
        .filter(isSpecified),
    ).toEqual([6, 7, 9, 10, 11, 12, 13, 21, 27])
  })

  it('reports which types require a base URL', () => {
    const types = catalogue.filter(({ needsBaseUrl }) => needsBaseUrl).map(({ type }) => type)

    expect(types.filter(isSpecified)).toEqual([3, 8, 11, 36, 47, 58])
    expect(types.every((type) => vendors[type].baseUrl === '')).toBe(true)
  })

  it('has a hint for composite keys', () => {
    const hints = new Map(catalogue.map(({ type, keyHint }) => [type, keyHint?.zh]))

    expect(hints.get(ChannelType.Baidu)).toContain('APIKey|SecretKey')
    expect(hints.get(ChannelType.Xunfei)).toContain('APPID|APISecret|APIKey')
    expect(hints.get(ChannelType.FastGPT)).toContain('APIKey-AppId')
    expect(hints.get(ChannelType.Tencent)).toContain('AppId|SecretId|SecretKey')
    expect(hints.get(ChannelType.Bedrock)).toContain('Ak|Sk|Region')
    expect(hints.get(ChannelType.OpenAI)).toBeUndefined()
  })

  it('offers the image jobs of the drawing proxies by the names that have prices, and the two music jobs', () => {
    const modelsOf = (type: number): readonly string[] | undefined => catalogue.find((entry) => entry.type === type)?.models
    const known: ReadonlySet<string> = new Set(Object.keys(optionTable.ModelPrice.default))

    expect([2, 5].flatMap((type) => modelsOf(type) ?? []).filter((model) => !known.has(model))).toEqual([])
    expect([modelsOf(2)?.length, modelsOf(5)?.length, modelsOf(36)]).toEqual([7, 18, ['suno_music', 'suno_lyrics']])
  })

  it('returns the preset models of each type that has them', () => {
    const types = Object.keys(presetModels).map(Number)

    expect(types.filter((type) => !isSpecified(type) && findVendor(type)?.listing !== 'models')).toEqual([])
    expect(types.filter(isSpecified)).toEqual([
      1, 4, 11, 14, 15, 16, 17, 18, 20, 23, 24, 26, 27, 33, 34, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48,
    ])
    expect(presetModels[43]).toEqual(expect.arrayContaining(['deepseek-v4-flash', 'deepseek-v4-pro']))
    expect(presetModels[20]).toEqual([])
  })

  it('offers no model of a maker of the catalogue without a price, and none that its maker no longer serves', () => {
    const { ModelRatio, ModelPrice } = optionTable
    const offered = [1, 14, 24, 25, 42, 43, 48].flatMap((type) => catalogue.find((entry) => entry.type === type)?.models ?? [])

    expect(offered.length).toBeGreaterThan(250)
    expect(offered.filter((name) => !Object.hasOwn(ModelRatio.default, name) && !Object.hasOwn(ModelPrice.default, name))).toEqual([])
    expect(offered).not.toContain('gpt-4-turbo')
  })

  it.each([
    ['gpt-4o', 'openai'],
    ['claude-3-opus-20240229', 'claude'],
    ['deepseek-chat', 'deepseek'],
    ['mj_imagine', 'midjourney'],
    ['moonshot-v1-8k', 'moonshot'],
    ['gemini-2.0-flash', 'google gemini'],
    ['my-own', 'custom'],
  ])('%s is owned by %s', (model, owner) => {
    expect(ownerOf(model)).toBe(owner)
  })

  it('lists every model once', () => {
    expect(new Set(knownModels.map(({ id }) => id)).size).toBe(knownModels.length)
    expect(knownModels).toContainEqual({ id: 'gpt-3.5-turbo', owned_by: 'openai' })
  })
})
