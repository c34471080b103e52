import { describe, expect, it } from 'vitest'
import { formatJson, isJsonObjectOrEmpty, readJson, readPairs, writePairs } from './json-text.ts'

describe('JSON text', () => {
  it.each([
    ['a missing comma', '{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['a trailing comma', '{"a": 1,}', 1, 9],
    ['a bare word', '{\n  "a": yes\n}', 2, 8],
    ['a missing end', '{\n  "a": [1, 2', 2, 13],
    ['an unclosed text', '{"a": "b', 1, 7],
    ['something after the end', '{} {}', 1, 4],
    ['a wrong bracket', '[1, 2}', 1, 6],
    ['single quotes', "{'a': 1}", 1, 2],
  ])('names the line and column of %s', (_what, text, line, column) => {
    const reading = readJson(text)

    expect(reading.kind === 'problem' && { line: reading.problem.line, column: reading.problem.column }).toEqual({ line, column })
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
