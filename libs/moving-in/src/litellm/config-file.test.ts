import { mkdtemp, rm, writeFile } from 'node:fs/promises'
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

  const open = async (lines: readonly string[]) => {
    const path = join(dir, 'config.yaml')
    await writeFile(path, `${lines.join('\n')}\n`)
    return await openConfigFile(path, {})
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

  it('is refused with a key that is there twice, and with its line', async () => {
    await expect(open([...aliases(10), '    a3: m1'])).rejects.toThrow('Map keys must be unique at line 13')
    await expect(open(['model_list: [', '}'])).rejects.toThrow(/at line \d+$/)
  })
  it.each([
    ['model_list: gpt-4o', 'model_list: expected array, received string'],
    ['just a text', 'expected object, received string'],
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
