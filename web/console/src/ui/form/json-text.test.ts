import { describe, expect, it } from 'vitest'
import { formatJson, holdsNumbers, isJsonObjectOrEmpty, readJson, readPairs, writePairs } from './json-text.ts'

describe('JSON text', () => {
  it.each([
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, 'comma'],
    ['{"a": 1,}', 1, 9, 'trailing-comma'],
    ['[1, ]', 1, 5, 'trailing-comma'],
    ['{\n  "a": yes\n}', 2, 8, 'value'],
    ['{\n  "a": [1, 2', 2, 13, 'unfinished'],
    ['{"a": 1\n  ', 1, 8, 'unfinished'],
    ['{"a": "b', 1, 7, 'open-text'],
    ['{} {}', 1, 4, 'extra'],
    ['[1, 2}', 1, 6, 'bracket'],
    ["{'a': 1}", 1, 2, 'quotes'],
    ['{“a”: 1}', 1, 2, 'quotes'],
    ['{a: 1}', 1, 2, 'key'],
    ['{"a" 1}', 1, 6, 'colon'],
    ['{"a"}', 1, 5, 'colon'],
    ['{"a": }', 1, 7, 'value'],
    ['{ // none\n}', 1, 3, 'comment'],
  ])('names the place and the fault of %j', (text, line, column, fault) => {
    expect(readJson(text)).toEqual({ kind: 'problem', problem: { line, column, fault } })
  })

  it('reads what is right', () => {
    expect(readJson('{"a": [1, "\\u00e9", null, true, -1.5e3]}')).toEqual({ kind: 'value', value: { a: [1, 'é', null, true, -1500] } })
  })

  it('accepts an empty text or an object where an object is meant', () => {
    expect(['', '  ', '{}', '[]', '"a"', '{'].map(isJsonObjectOrEmpty)).toEqual([true, true, true, false, false, false])
  })

  it('formats, and leaves alone what is no JSON', () => {
    expect(formatJson('{"a":1}')).toBe('{\n  "a": 1\n}')
    expect(formatJson('{a')).toBe('{a')
  })
})

describe('pairs', () => {
  it('are read from a map of texts and written back', () => {
    const pairs = readPairs('{"gpt-4o": "gpt-4o-mini", "400": 500}')

    expect(pairs).toEqual([
      ['400', '500'],
      ['gpt-4o', 'gpt-4o-mini'],
    ])
    expect(JSON.parse(writePairs(pairs ?? []))).toEqual({ '400': '500', 'gpt-4o': 'gpt-4o-mini' })
  })

  it('of a map of numbers stay numbers', () => {
    expect([holdsNumbers('{"a": 1}'), holdsNumbers('{"a": "1"}'), holdsNumbers('{}')]).toEqual([true, false, false])
    expect(
      JSON.parse(
        writePairs(
          [
            ['a', '8192'],
            ['b', 'many'],
          ],
          true,
        ),
      ),
    ).toEqual({ a: 8192, b: 'many' })
  })

  it('do not exist for other shapes', () => {
    expect([readPairs('[1]'), readPairs('{"a": {}}'), readPairs('{')]).toEqual([undefined, undefined, undefined])
  })

  it('drop rows without a key, and no row is an empty text', () => {
    expect(
      writePairs([
        ['', 'x'],
        [' ', 'y'],
      ]),
    ).toBe('')
  })
})
