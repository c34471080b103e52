import { describe, expect, it } from 'vitest'
import { inUnit, unitFor } from './duration.ts'
import { vendorOfModel } from './model-options.ts'
import { pickRows } from './pick-list.ts'

describe('a length of time', () => {
  it.each([
    ['86400', 'seconds', 'days', '1'],
    ['5400', 'seconds', 'minutes', '90'],
    ['59', 'seconds', 'seconds', '59'],
    ['1440', 'minutes', 'days', '1'],
    ['0', 'minutes', 'minutes', '0'],
    ['many', 'seconds', 'seconds', 'many'],
    ['', 'seconds', 'seconds', ''],
  ] as const)('of %j %s is shown in %s', (text, stored, unit, shown) => {
    expect(unitFor(text, stored)).toBe(unit)
    expect(inUnit(text, stored, unit)).toBe(shown)
  })

  it('that is typed in one unit is kept in the other', () => {
    expect([inUnit('1.5', 'hours', 'seconds'), inUnit('0.1', 'minutes', 'seconds'), inUnit('x', 'days', 'seconds')]).toEqual([
      '5400',
      '6',
      'x',
    ])
  })
})

describe('a list to pick from', () => {
  const options = [
    { value: 'gpt-4o', section: 'OpenAI' },
    { value: 'claude-3', section: 'Anthropic' },
    { value: 'o3', section: 'OpenAI' },
    { value: 'own' },
  ]

  it('stands under the names of its sections', () => {
    expect(pickRows(options, '').map((row) => (row.kind === 'section' ? `[${row.name}]` : row.option.value))).toEqual([
      '[OpenAI]',
      'gpt-4o',
      'o3',
      '[Anthropic]',
      'claude-3',
      'own',
    ])
  })

  it('is searched by value, label and section', () => {
    expect(pickRows(options, 'open 4').map((row) => (row.kind === 'section' ? row.name : row.option.value))).toEqual(['OpenAI', 'gpt-4o'])
  })

  it.each([
    ['gpt-4.1', 'OpenAI'],
    ['o4-mini', 'OpenAI'],
    ['meta-llama/llama-3-8b', 'Meta'],
    ['claude-opus-4', 'Anthropic'],
    ['glm-4', 'Zhipu'],
    ['my-own', undefined],
  ])('knows that %s is of %s', (model, vendor) => {
    expect(vendorOfModel(model)).toBe(vendor)
  })
})
