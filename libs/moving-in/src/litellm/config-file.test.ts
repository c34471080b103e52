import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openConfigFile } from './config-file.ts'

describe("LiteLLM's configuration", () => {
  let dir: string
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'tollgate-litellm-'))
  })
  afterAll(() => rm(dir, { recursive: true, force: true }))

  const open = async (lines: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const path = join(dir, 'config.yaml')
    await writeFile(path, `${lines.join('\n')}\n`)
    return await openConfigFile(path, env)
  }
  const models = (count: number, name = (at: number) => `m${at}`): string[] => [
    'model_list:',
    ...Array.from({ length: count }, (_, at) => `  - { model_name: ${name(at)}, litellm_params: { model: openai/gpt-4o, api_key: k } }`),
  ]
  const aliases = (count: number): string[] => [
    'router_settings:',
    '  model_group_alias:',
    ...Array.from({ length: count }, (_, at) => `    a${at}: m${at}`),
  ]

  it('is read in seconds, whatever the number of its aliases', async () => {
    const source = await open([...models(2000), ...aliases(100_000)])
    const { records } = await source.read('channels', { after: undefined, limit: 10 })

    expect(records.map((channel) => channel.models.length)).toEqual([4000])
  })

  it('gives each further entry of a model a channel of its own', async () => {
    const source = await open(models(3, () => 'same'))
    const { records } = await source.read('channels', { after: undefined, limit: 10 })

    expect(records.map((channel) => channel.models)).toEqual([['same'], ['same'], ['same']])
  })

  it('needs none of the sections and settings that are carried', async () => {
    const source = await open([...models(1), 'general_settings:', 'litellm_settings: { drop_params: true }', 'router_settings: {}'])

    expect(source.unknown.map(({ at }) => at)).toEqual(['litellm_settings.drop_params'])
    expect(await source.count('channels')).toBe(1)
    expect(await source.count('options')).toBe(0)
  })

  it('takes names that every object has for vendors that are not known', async () => {
    const source = await open(['model_list:', '  - { model_name: m, litellm_params: { model: constructor/m, api_key: k } }'])

    expect(source.unknown.map(({ detail }) => detail)).toEqual(['m vendor constructor'])
    expect(await source.count('channels')).toBe(0)
  })

  const channelsIn = async (lines: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const { records } = await (await open(lines, env)).read('channels', { after: undefined, limit: 10 })
    return records
  }
  const entry = (name: string, params: string, info = '{}'): string =>
    `  - { model_name: ${name}, litellm_params: { ${params} }, model_info: ${info} }`

  it('makes keys of Bedrock and Vertex AI, an account and region each', async () => {
    const channels = await channelsIn([
      'model_list:',
      entry('a', 'model: bedrock/anthropic.claude-haiku, aws_access_key_id: AK, aws_secret_access_key: SK, aws_region_name: us-east-1'),
      entry('b', 'model: bedrock/anthropic.claude-haiku, aws_access_key_id: AK, aws_secret_access_key: SK, aws_region_name: eu-west-1'),
      entry('c', 'model: bedrock/anthropic.claude-haiku, api_key: bedrock-key, aws_region_name: eu-west-1'),
      entry('d', 'model: vertex_ai/gemini-pro, vertex_project: p1, vertex_location: us-central1, vertex_credentials: { project_id: p1 }'),
      entry('e', "model: vertex_ai/gemini-pro, vertex_project: p1, vertex_credentials: '/etc/account.json'"),
    ])

    expect(channels.map(({ models, keys, other }) => [models, keys, other])).toEqual([
      [['a'], ['AK|SK|us-east-1'], ''],
      [['b'], ['AK|SK|eu-west-1'], ''],
      [['c'], ['bedrock-key|eu-west-1'], ''],
      [['d'], ['{"project_id":"p1"}'], 'us-central1'],
      [['e'], [], ''],
    ])
  })

  it('takes ways of the proxy and regions out of the names of models', async () => {
    const channels = await channelsIn([
      'model_list:',
      entry('a', 'model: bedrock/converse/eu-west-1/amazon.nova-lite, aws_access_key_id: AK, aws_secret_access_key: SK'),
      entry('b', 'model: azure/o_series/our-o3, api_base: https://x.example, api_key: k'),
      entry('c', 'model: openai/responses/gpt-5, api_key: k'),
      entry('d', 'model: openrouter/openai/gpt-5, api_key: k'),
    ])

    expect(channels.map(({ model_mapping, keys }) => [model_mapping, keys])).toEqual([
      ['{"a":"amazon.nova-lite"}', ['AK|SK|eu-west-1']],
      ['{"b":"our-o3"}', ['k']],
      ['{"c":"gpt-5"}', ['k']],
      ['{"d":"openai/gpt-5"}', ['k']],
    ])
  })

  it('takes accounts from its credentials and variables', async () => {
    const channels = await channelsIn([
      'environment_variables: { SECRET: from-file, BASE: http://10.0.0.1/v1 }',
      'credential_list:',
      '  - { credential_name: shared, credential_values: { api_key: os.environ/SECRET, api_base: os.environ/BASE }, credential_info: {} }',
      'model_list:',
      entry('a', 'model: openai/a, litellm_credential_name: shared, organization: org-1, extra_headers: { X-Team: t }'),
      entry('b', 'model: owner/b, custom_llm_provider: openai, api_key: os.environ/SECRET, base_url: http://10.0.0.2'),
      entry('c', 'model: openai/c, litellm_credential_name: shared, api_key: own, organization: null'),
    ])

    expect(
      channels.map(({ type, keys, base_url, openai_organization, setting }) => ({ type, keys, base_url, openai_organization, setting })),
    ).toEqual([
      {
        type: 1,
        keys: ['from-file'],
        base_url: 'http://10.0.0.1',
        openai_organization: 'org-1',
        setting: { header_override: { 'X-Team': 't' } },
      },
      { type: 1, keys: ['from-file'], base_url: 'http://10.0.0.2', openai_organization: '', setting: {} },
      { type: 1, keys: ['own'], base_url: 'http://10.0.0.1', openai_organization: '', setting: {} },
    ])
    expect(channels[1]?.model_mapping).toBe('{"b":"owner/b"}')
  })

  it('keeps the number of a channel whose variable has another value', async () => {
    const lines = ['model_list:', entry('a', 'model: openai/a, api_key: os.environ/KEY')]
    const [first] = await channelsIn(lines)
    const [second] = await channelsIn(lines, { KEY: 'sk-later' })

    expect([first?.keys, second?.keys]).toEqual([[], ['sk-later']])
    expect(second?.id).toBe(first?.id)
  })

  it('takes what an entry does not state from the variables that the proxy reads, and names them', async () => {
    const lines = [
      'model_list:',
      entry('a', 'model: gpt-4o'),
      entry('b', 'model: anthropic/claude-haiku, api_base: https://own.example'),
      entry('c', 'model: azure/our-gpt'),
      entry('d', 'model: bedrock/eu-west-1/amazon.nova-lite'),
      entry('e', 'model: openai/stated, api_key: os.environ/OWN_KEY'),
    ]
    const env = {
      OPENAI_API_KEY: 'sk-o',
      OPENAI_BASE_URL: 'http://10.0.0.1/v1',
      ANTHROPIC_BASE_URL: 'http://10.0.0.2',
      AZURE_API_KEY: 'az',
      AZURE_API_BASE: 'https://x.openai.azure.com/',
      AZURE_API_VERSION: '2025-04-01-preview',
      AWS_ACCESS_KEY_ID: 'AK',
      AWS_SECRET_ACCESS_KEY: 'SK',
      AWS_REGION: 'us-east-1',
    }
    const shown = async (set: Readonly<Record<string, string>>) =>
      (await channelsIn(lines, set)).map(({ keys, base_url, other, notes }) => [
        keys,
        base_url,
        other,
        notes.map(({ code, detail }) => `${code} ${detail}`),
      ])

    expect(await shown(env)).toEqual([
      [['sk-o'], 'http://10.0.0.1', '', ['key-of-variable OPENAI_API_KEY']],
      [[], 'https://own.example', '', ['variable-not-set ANTHROPIC_API_KEY']],
      [['az'], 'https://x.openai.azure.com', '2025-04-01-preview', ['key-of-variable AZURE_API_KEY']],
      [['AK|SK|eu-west-1'], '', '', ['key-of-variable AWS_ACCESS_KEY_ID']],
      [[], 'http://10.0.0.1', '', ['variable-not-set OWN_KEY']],
    ])
    expect((await shown({})).map(([keys, base_url]) => [keys, base_url])).toEqual([
      [[], ''],
      [[], 'https://own.example'],
      [[], ''],
      [[], ''],
      [[], ''],
    ])
  })

  it('knows the addresses of vendors that answer as OpenAI does, and those that differ by country', async () => {
    const channels = await channelsIn([
      'model_list:',
      entry('a', 'model: cerebras/llama, api_key: k'),
      entry('b', 'model: nvidia_nim/meta/llama, api_key: k'),
      entry('c', 'model: moonshot/kimi, api_key: k'),
      entry('d', 'model: zai/glm, api_key: k'),
    ])

    expect(channels.map(({ type, base_url, model_mapping }) => [type, base_url, model_mapping])).toEqual([
      [1, 'https://api.cerebras.ai', '{"a":"llama"}'],
      [1, 'https://integrate.api.nvidia.com', '{"b":"meta/llama"}'],
      [25, 'https://api.moonshot.ai', '{"c":"kimi"}'],
      [26, 'https://api.z.ai', '{"d":"glm"}'],
    ])
  })

  it('reads the files that it includes, beside the one that names them, and each once', async () => {
    await mkdir(join(dir, 'parts'), { recursive: true })
    await writeFile(join(dir, 'parts/more.yaml'), ['include: [last.yaml, config.yaml]', ...models(1, () => 'more')].join('\n'))
    await writeFile(join(dir, 'parts/last.yaml'), [...models(1, () => 'last'), 'router_settings: { num_retries: 4 }'].join('\n'))
    const lines = ['include: [parts/more.yaml]', ...models(1, () => 'first'), 'router_settings: { num_retries: 2 }']
    const source = await open(lines)
    const { records } = await source.read('channels', { after: undefined, limit: 10 })

    expect(records.flatMap((channel) => channel.models)).toEqual(['first', 'more', 'last'])
    expect((await source.read('options', { after: undefined, limit: 10 })).records.map(({ value }) => value)).toEqual(['4'])
    await expect(open(['include: [absent.yaml]'])).rejects.toThrow(/includes as absent\.yaml cannot be read/)
  })

  it('reads no other files where it is from elsewhere, and lists them', async () => {
    const path = join(dir, 'config.yaml')
    await writeFile(path, ['include: [parts/more.yaml]', ...models(1)].join('\n'))
    const source = await openConfigFile(path)

    expect(await source.count('channels')).toBe(1)
    expect(source.unknown).toEqual([{ kind: 'channels', at: 'include', code: 'left-include', detail: 'parts/more.yaml' }])
  })

  it('shares requests as the proxy does, with weights so large that the 10 added to each hardly counts', async () => {
    const shares = async (...params: string[]): Promise<number[]> =>
      (await channelsIn(['model_list:', ...params.map((text) => entry('m', `model: openai/m, api_key: k, ${text}`))])).map(
        ({ weight }) => weight,
      )

    expect(await shares('rpm: 900', 'rpm: 100')).toEqual([9000, 1000])
    expect(await shares('rpm: 9, weight: 1', 'rpm: 1, weight: 3')).toEqual([1000, 3000])
    expect(await shares('weight: 0.7', 'weight: 0.3')).toEqual([2333, 1000])
    expect(await shares('tpm: 4000000000', 'tpm: 2000000000')).toEqual([1_000_000_000, 500_000_000])
    // The proxy sends none to an entry without a weight; among equal ones every entry has its share.
    expect(await shares('weight: 5', 'timeout: 5')).toEqual([1000, 0])
    expect(await shares('weight: 5', 'weight: 5')).toEqual([1, 1])
    expect(await shares('rpm: 5')).toEqual([1])
  })

  it('tries an entry without an order after those that have one', async () => {
    const channels = await channelsIn([
      'model_list:',
      entry('m', 'model: openai/a, api_key: a'),
      entry('m', 'model: openai/b, api_key: b, order: 2'),
      entry('m', 'model: openai/c, api_key: c', '{ order: 1 }'),
      entry('other', 'model: openai/d, api_key: d'),
    ])

    expect(channels.map(({ keys, priority }) => [keys, priority])).toEqual([
      [['a'], -3],
      [['b'], -2],
      [['c'], -1],
      [['d'], 0],
    ])
  })

  it('names the fields of an entry that are not carried', async () => {
    const channels = await channelsIn([
      'model_list:',
      entry(
        'a',
        'model: openai/a, api_key: k, timeout: 5, tags: [x], input_cost_per_token: 1e-6',
        '{ output_cost_per_image: 0.1, access_groups: [beta], mode: chat }',
      ),
      entry('b', 'model: openai/b, api_key: k, litellm_credential_name: gone'),
    ])
    expect(channels.flatMap(({ notes }) => notes)).toEqual([
      { code: 'left-no-counterpart', detail: 'a: timeout, tags, output_cost_per_image, access_groups' },
      { code: 'left-no-counterpart', detail: 'b: litellm_credential_name' },
    ])
  })

  it('is refused with a key that is there twice, and with its line', async () => {
    await expect(open([...aliases(10), '    a3: m1'])).rejects.toThrow('Map keys must be unique at line 13')
    await expect(open(['model_list: [', '}'])).rejects.toThrow(/at line \d+$/)
  })
  it.each([
    ['model_list: gpt-4o', 'model_list: expected array, received string'],
    ['just a text', 'expected object, received string'],
    ['include: more.yaml', 'include: expected array, received string'],
    ['model_list: [', 'at line'],
    ['model_list: *gone', 'an alias has no anchor, or there are too many'],
    [`a: &a [${'x, '.repeat(20)}]\nb: &b [${'*a, '.repeat(20)}]\nmodel_list: [${'*b, '.repeat(20)}]`, 'an alias has no anchor'],
    [`model_list: ${'['.repeat(20_000)}`, 'nested too deep'],
  ])('says in one line what of %j it cannot read', async (line, reason) => {
    const error = await open([line]).catch((failure: unknown) => failure)

    expect(error).toMatchObject({ name: 'UnreadableConfig', message: expect.stringContaining(reason) })
    expect((error as Error).message).toMatch(/^.*config\.yaml is no configuration of LiteLLM that can be read: [^\n{]+$/)
  })
})
