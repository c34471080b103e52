import type { ChannelFile } from '@tollgate/contracts/resources/channel-files'
import { describe, expect, it } from 'vitest'
import { fromCsv, toCsv } from './channel-csv.ts'

const aFile = (name: string): ChannelFile => ({
  format: 'tollgate-channels',
  version: 1,
  exported_at: 0,
  channels: [
    {
      name,
      type: 1,
      status: 2,
      base_url: '',
      models: 'a,b',
      group: 'default',
      priority: -5,
      weight: 3,
      tag: '',
      auto_ban: 1,
      test_model: '',
      openai_organization: '',
      other: '',
      model_mapping: '{\n  "a": "b"\n}',
      status_code_mapping: '',
      param_override: '',
      setting: '{"proxy":"x"}',
      max_input_tokens: 0,
    },
  ],
})

describe('a table of channels', () => {
  it.each(['plain', 'with, comma and "quotes"', '=FORMULA()', '-1', '多行\n名称'])('is read as it was written: %s', (name) => {
    const file = aFile(name)

    expect(JSON.parse(fromCsv(`\uFEFF${toCsv(file)}\r\n`) ?? '')).toEqual(file)
  })

  it('takes columns in any order, ignores others, and has keys when they are typed in', () => {
    const read = JSON.parse(fromCsv('Type, name ,note,key\n14,claude,hello,sk-1\n\n') ?? '') as ChannelFile

    expect(read.channels).toEqual([{ type: 14, name: 'claude', key: 'sk-1' }])
  })

  it('needs a header', () => {
    expect(fromCsv('claude,14\n')).toBeUndefined()
    expect(fromCsv('')).toBeUndefined()
  })
})
