import { describe, expect, it } from 'vitest'
import { aChannel } from '../../../testing/channel-factories.ts'
import { EMPTY_FORM, pathIn, problemsOf, toChange, toForm, toNewChannel, withCustomModels, withType, type ChannelForm } from './form.ts'
import { modelRatiosOf, withModelRatios } from './cost-ratio.ts'
import { hasOption, withOption } from '../models/priced-options.ts'
import { choiceOf, withChoice } from './setting-choices.ts'
import { clientDisconnectOf, hasWrongDrainSeconds, withDrainSeconds, withPolicy } from './client-disconnected.ts'
import { multiKeyOf, withMultiKey } from './multi-key.ts'
import { parsePriority, parseTagPriority, parseTagWeight, parseWeight } from '../list/numbers.ts'
import { commonOf, tagProblemsOf, toTagChange, toTagForm } from '../list/tag-form.ts'

const form = (change: Partial<ChannelForm> = {}): ChannelForm => ({
  ...EMPTY_FORM,
  name: 'main',
  key: 'sk-x',
  models: ['gpt-4o'],
  ...change,
})

describe('the channel form', () => {
  it('starts with auto_ban on, group default and type OpenAI', () => {
    expect(toNewChannel(form())).toMatchObject({ type: 1, auto_ban: 1, group: 'default', priority: 0, weight: 0, max_input_tokens: 0 })
  })

  it.each([
    ['a new channel without a name', { name: '' }, true, 'name-and-key'],
    ['a new channel without a key', { key: ' ' }, true, 'key-missing'],
    ['a saved channel without a name', { name: '' }, false, 'name'],
    ['no model', { models: [] }, true, 'models'],
    ['a mapping that is no JSON', { model_mapping: '{' }, true, 'mapping'],
    ['a mapping that is a list', { model_mapping: '[]' }, true, 'mapping'],
    ['a status code mapping that is no JSON', { status_code_mapping: 'x' }, true, 'status-mapping'],
    ['no group', { groups: [] }, true, 'groups'],
    ['a priority below -999', { priority: '-1000' }, true, 'priority'],
    ['a weight that is no integer', { weight: '1.5' }, true, 'weight'],
    ['a negative token limit', { max_input_tokens: '-1' }, true, 'max-input-tokens'],
    ['a setting that is no JSON', { setting: '{a}' }, true, 'setting'],
    ['an override that is no JSON', { param_override: '1' }, true, 'param-override'],
    ['a Vertex key that is no JSON', { type: 41, key: 'sk-x' }, true, 'vertex'],
  ] as const)('refuses %s', (_what, change, isNew, problem) => {
    expect(problemsOf(form(change), isNew)).toEqual([problem])
  })

  it('reads several service accounts where the channel has several keys', () => {
    const several = { type: 41, setting: withMultiKey('', 'polling') }

    expect(problemsOf(form({ ...several, key: '{"a":1}\n{"b":2}' }), true)).toEqual([])
    expect(problemsOf(form({ ...several, key: 'sk-1' }), true)).toEqual(['vertex'])
  })

  it('keeps the way of using several keys among the other settings', () => {
    const setting = withMultiKey('{"proxy":"http://p"}', 'random')

    expect([multiKeyOf(setting), JSON.parse(setting)]).toEqual(['random', { proxy: 'http://p', multi_key_mode: 'random' }])
    expect(withMultiKey(withMultiKey('', 'random'), '')).toBe('')
  })

  it('keeps the key of a saved channel when none is typed', () => {
    const channel = aChannel()

    expect(problemsOf({ ...toForm(channel) }, false)).toEqual([])
    expect(toChange(channel, toForm(channel))).toEqual({ id: 1 })
  })

  it('sends only what was changed', () => {
    const channel = aChannel({ id: 9, base_url: 'https://a.example', priority: 3 })

    expect(
      toChange(channel, { ...toForm(channel), key: 'sk-new', priority: '5', auto_ban: false, groups: ['default', 'vip'], type: 43 }),
    ).toEqual({
      id: 9,
      type: 43,
      key: 'sk-new',
      priority: 5,
      auto_ban: 0,
      group: 'default,vip',
    })
  })

  it('sends organisation, longest input, tag, test model and JSON fields as they were typed', () => {
    const typed = {
      openai_organization: 'org-1',
      max_input_tokens: '4096',
      tag: 'blue',
      test_model: 'gpt-4o-mini',
      other: 'v1',
      status_code_mapping: '{"400":"500"}',
      setting: '{"proxy":"socks5://127.0.0.1:1080"}',
      param_override: '{"top_p":0.5}',
    }

    const change = toChange(aChannel({ id: 9 }), { ...toForm(aChannel({ id: 9 })), ...typed })

    expect(change).toEqual({ id: 9, ...typed, max_input_tokens: 4096 })
  })

  it('strips trailing slashes and notices /v1', () => {
    expect(toNewChannel(form({ base_url: ' https://a.example/ ' })).base_url).toBe('https://a.example')
    expect(pathIn(form({ base_url: 'https://a.example/v1/' }))).toBe('/v1')
    expect(pathIn(form({ base_url: 'https://a.example/x/v1/chat/completions' }))).toBe('/v1/chat/completions')
    expect(pathIn(form({ base_url: 'https://a.example/openai' }))).toBe('')
    expect(pathIn(form({ type: 8, base_url: 'https://a.example/v1/chat/completions' }))).toBe('')
  })

  it('makes a negative weight 0', () => {
    expect(toNewChannel(form({ weight: '-4' })).weight).toBe(0)
  })

  it('follows the type with models and the version of type 18', () => {
    const presets = (type: number): readonly string[] => (type === 1 ? ['gpt-4o'] : ['SparkDesk'])

    const spark = withType(form({ models: ['gpt-4o'] }), 18, presets)
    expect([spark.models, spark.other]).toEqual([['SparkDesk'], 'v2.1'])
    expect(withType(spark, 1, presets).other).toBe('')
    expect(withType(form({ models: ['my-own'] }), 18, presets).models).toEqual(['my-own'])
  })

  it('adds typed models and notices those that were there', () => {
    expect(withCustomModels(['a'], 'b, c')).toEqual({ models: ['a', 'b', 'c'], hasRepeats: false })
    expect(withCustomModels(['a'], 'a,b')).toEqual({ models: ['a', 'b'], hasRepeats: true })
  })
})

describe('cost ratios by model', () => {
  it('are read and written as model=ratio, and kept until they can be read', () => {
    const setting = withModelRatios('{"cost_ratio":0.8}', 'gpt-4o=0.5, a/b=1')

    expect(JSON.parse(setting ?? '')).toEqual({ cost_ratio: 0.8, cost_ratios: { 'gpt-4o': 0.5, 'a/b': 1 } })
    expect(modelRatiosOf(setting ?? '')).toBe('gpt-4o=0.5, a/b=1')
    expect(withModelRatios('{}', 'gpt-4o=')).toBeUndefined()
    expect(JSON.parse(withModelRatios(setting ?? '', '') ?? '')).toEqual({ cost_ratio: 0.8 })
  })
})

describe('what happens when a client leaves', () => {
  it('is kept in the channel settings, beside what else stands there', () => {
    const drained = withDrainSeconds(withPolicy('{"proxy":"socks5://p"}', 'drain'), '90 s')

    expect(JSON.parse(drained)).toEqual({ proxy: 'socks5://p', client_disconnect: 'drain', drain_seconds: 90 })
    expect(clientDisconnectOf(drained)).toEqual({ policy: 'drain', drain_seconds: '90' })
    expect(JSON.parse(withPolicy(drained, 'cancel'))).toEqual({ proxy: 'socks5://p', client_disconnect: 'cancel' })
    expect(JSON.parse(withPolicy(drained, 'auto'))).toEqual({ proxy: 'socks5://p', drain_seconds: 90 })
  })

  it('needs no key for the defaults', () => {
    expect(clientDisconnectOf('')).toEqual({ policy: 'auto', drain_seconds: '' })
    expect(withPolicy(withPolicy('', 'drain'), 'auto')).toBe('')
    expect(withDrainSeconds('{"drain_seconds":5}', '')).toBe('')
  })

  it('keeps how requests are written in the settings', () => {
    const first = withChoice('{"proxy":"socks5://p"}', 'system_messages', 'first')

    expect(JSON.parse(first)).toEqual({ proxy: 'socks5://p', system_messages: 'first' })
    expect([choiceOf(first, 'system_messages'), choiceOf(first, 'preferred_api')]).toEqual(['first', 'auto'])
    expect(choiceOf('{"preferred_api":"nonsense"}', 'preferred_api')).toBe('auto')
    expect(withChoice('{"preferred_api":"chat"}', 'preferred_api', 'auto')).toBe('')
  })

  it('keeps the switches of priced options in the settings', () => {
    const allowed = withOption('{"proxy":"socks5://p"}', 'service_tier', true)

    expect(JSON.parse(allowed)).toEqual({ proxy: 'socks5://p', allow_service_tier: true })
    expect(hasOption(allowed, 'service_tier')).toBe(true)
    expect(JSON.parse(withOption(allowed, 'service_tier', false))).toEqual({ proxy: 'socks5://p' })
  })

  it.each([
    ['{"client_disconnect":"drain"}', false],
    ['{"drain_seconds":600}', false],
    ['{"drain_seconds":0}', true],
    ['{"drain_seconds":601}', true],
    ['{"drain_seconds":"5"}', true],
  ])('%s is refused: %s', (setting, isWrong) => {
    expect(hasWrongDrainSeconds(setting)).toBe(isWrong)
    expect(problemsOf(form({ setting }), true)).toEqual(isWrong ? ['drain-seconds'] : [])
  })
})

describe('numbers in the rows', () => {
  it.each([
    [parsePriority, '-999', -999],
    [parsePriority, '-1000', undefined],
    [parsePriority, 'x', undefined],
    [parseWeight, '-5', 0],
    [parseWeight, '7', 7],
    [parseTagPriority, '-2000', -2000],
    [parseTagPriority, '1.5', undefined],
    [parseTagWeight, '-1', undefined],
    [parseTagWeight, '0', 0],
  ])('%o reads %j as %j', (parse, text, expected) => {
    const parsed = parse(text)

    expect(parsed.kind === 'value' ? parsed.value : undefined).toBe(expected)
  })
})

describe('the tag drawer', () => {
  const channels = [aChannel({ tag: 't', priority: 1, group: 'default' }), aChannel({ id: 2, tag: 't', priority: 2, group: 'default' })]

  it('shows what the channels share and leaves the rest empty', () => {
    expect(toTagForm('t', commonOf(channels))).toMatchObject({ new_tag: 't', groups: ['default'], priority: '', weight: '0' })
  })

  it('sends nothing when nothing was changed', () => {
    const before = toTagForm('t', commonOf(channels))

    expect(toTagChange('t', before, before)).toBeUndefined()
  })

  it('sends changes, and an empty name dissolves the tag', () => {
    const before = toTagForm('t', commonOf(channels))

    expect(toTagChange('t', before, { ...before, priority: '7', models: ['x'] })).toEqual({ tag: 't', priority: 7, models: 'x' })
    expect(toTagChange('t', before, { ...before, new_tag: '' })).toEqual({ tag: 't', new_tag: '' })
  })

  it('refuses a broken mapping and numbers that are none', () => {
    expect(tagProblemsOf({ ...toTagForm('t', commonOf(channels)), model_mapping: '{', priority: 'a', weight: '-1' })).toEqual([
      'mapping',
      'priority',
      'weight',
    ])
  })
})
