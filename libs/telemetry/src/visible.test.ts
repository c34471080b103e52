import { describe, expect, it } from 'vitest'
import { visible, visibleCell } from './visible.ts'

describe('visible', () => {
  it.each([
    ['a line feed that would forge a log line', 'a\n{"level":"info"}', 'a {"level":"info"}'],
    ['an escape sequence of a terminal', '\u001b[31mred\u001b[0m', '[31mred [0m'],
    ['a right-to-left override', 'invoice\u202egpj.exe', 'invoice gpj.exe'],
    ['isolates and zero-width characters', 'a\u2066b\u2069\u200bc', 'a b c'],
    ['a byte order mark and C1 controls', '\ufeffa\u0085b', 'a b'],
    ['a lone surrogate', 'a\ud800b', 'a b'],
    ['line and paragraph separators', 'a\u2028b\u2029c', 'a b c'],
    ['tag characters', 'a\u{e0041}b', 'a b'],
  ])('takes out %s', (_, text, expected) => {
    expect(visible(text)).toBe(expected)
  })

  it.each([
    ['Chinese', '渠道名称'],
    ['Arabic letters', 'قناة'],
    ['an emoji outside the basic plane', 'ok 🚀'],
  ])('leaves %s as it is', (_, text) => {
    expect(visible(text)).toBe(text)
  })

  it('cuts at the given length and adds an ellipsis', () => {
    expect(visible('x'.repeat(600))).toBe(`${'x'.repeat(511)}…`)
    expect(visible('x'.repeat(512))).toBe('x'.repeat(512))
    expect(visible('abcdef', 4)).toBe('abc…')
  })

  it('never splits a character', () => {
    expect(visible('ab🚀cd', 4)).toBe('ab…')
  })

  it('takes no longer for a megabyte than for a line', () => {
    const text = Buffer.alloc(8 * 1024 * 1024, 'a\u202e').toString()

    const times = [1, 2, 3].map(() => {
      const since = performance.now()
      expect(visible(text)).toHaveLength(512)
      return performance.now() - since
    })

    expect(Math.min(...times)).toBeLessThan(20)
  })

  it('returns an empty text for null and undefined', () => {
    expect([visible(undefined), visible(null), visible('')]).toEqual(['', '', ''])
  })
})

describe('visibleCell', () => {
  it.each([
    '=1+1',
    '+1',
    '-1',
    '@x',
    '\tx',
    '\r=1',
    '\n=1',
    '\r\nx',
    ' =1',
    '\u200B=1',
    '\uFEFF+1',
    '\u3000@x',
    '＝1',
    '＋1',
    '－1',
    '＠x',
    '\u0000=1',
  ])('escapes %j, which a spreadsheet would read as a formula', (cell) => {
    expect(visibleCell(cell)).toBe(`'${cell}`)
  })

  it('leaves plain cells unchanged', () => {
    for (const cell of ['plain = text', '1-2', 'a@b.example', '', '文字＝1', '👩‍👧 = two']) expect(visibleCell(cell)).toBe(cell)
  })
})
