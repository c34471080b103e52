import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePattern } from './compile.ts'
import { replacePattern, type StepBudget } from './replace.ts'

const PLENTY = 1_000_000

function replaced(text: string, pattern: string, to: string, budget: StepBudget = { left: PLENTY }): string | undefined {
  const program = compilePattern(pattern)
  if (program === undefined) throw new Error(`${pattern} is refused`)
  return replacePattern(text, program, to, budget)
}

describe('the replacement of a pattern', () => {
  it.each<[string, string, string, string]>([
    ['gpt-4o-2024-08-06', '-\\d{4}-\\d{2}-\\d{2}$', '', 'gpt-4o'],
    ['a@b.example, c@d.example', '(\\w+)@([\\w.]+)', '$2 at ${1}', 'b.example at a, d.example at c'],
    ['price: 5', '\\d+', '$$&$&', 'price: $&5'],
    ['ab', '(a)|(b)', '[$1$2$3]', '[a$3][b$3]'],
    ['aaa', 'a{2}', 'b', 'ba'],
    ['<b>x</b><b>y</b>', '<b>.*?</b>', '-', '--'],
    ['Hello hello', '(?i)HELLO', 'hi', 'hi hi'],
    ['A', '(?i)[^a]', 'x', 'A'],
    ['one\ntwo', '(?m)^', '> ', '> one\n> two'],
    ['one\ntwo', '(?s)e.t', '-', 'on-wo'],
    ['a😀b', '.', 'x', 'xxx'],
    ['a😀b', '[😀-😂]', '', 'ab'],
    ['x-y]', '[\\]-]', '', 'xy'],
    ['tab\there', '\\x09', ' ', 'tab here'],
    ['it is', '\\bis\\b', 'was', 'it was'],
    ['none', 'z', 'x', 'none'],
    ['baaac', 'a*', '-', '-b--c-'],
  ])('of %j by %j with %j is %j', (text, pattern, to, expected) => {
    expect(replaced(text, pattern, to)).toBe(expected)
  })

  it.each(['(', ')', '[', '*a', 'a**', '(?=a)', '(?<n>a)', '\\1', '\\p{L}', 'a{3,2}', '[b-a]', 'a{9999}', '((a{90}){90}){90}', '^*'])(
    'refuses %s',
    (pattern) => {
      expect(compilePattern(pattern)).toBeUndefined()
    },
  )

  it.each(['(a+)+$', '(a|a)*b', '(a|aa)+$', '(.*a){20}b', 'a*a*a*a*b'])('ends within its budget for %s, whatever the text', (pattern) => {
    const budget = { left: PLENTY }

    const result = replaced('a'.repeat(50_000), pattern, '', budget)

    expect(result === undefined || result === '' || result.length === 50_000).toBe(true)
    expect(budget.left).toBeGreaterThan(-20_000)
  })

  it('leaves a budget that is used up to the next replacement', () => {
    const budget = { left: 100 }

    expect(replaced('a'.repeat(1000), 'b', '', budget)).toBeUndefined()
    expect(replaced('b', 'b', '', budget)).toBeUndefined()
  })

  const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\d', '\\b', '^', '$', 'é', '(a|b)', '(?:ab|a)', '(?:a|ab)(?:c|bcd)')
  const repeatable = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '(?:ab|a)', '(?:a|b|ab)', '(?:b?a)', '(?:a+b|c)')
  const quantifier = fc.constantFrom('*', '+', '?', '*?', '+?', '??', '{2}', '{1,2}', '{1,}?', '{0,2}?')
  const part = fc.oneof(
    atom,
    fc.tuple(repeatable, quantifier).map(([one, count]) => one + count),
  )
  const sequence = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(''))
  const anyPattern = fc.array(sequence, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('|'))
  const anyText = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'é', ' ', '1', '\n', '😀'), { maxLength: 12 }).map((parts) => parts.join(''))

  it('finds what the engine of the platform finds', () => {
    fc.assert(
      fc.property(anyPattern, anyText, (pattern, text) => {
        expect(replaced(text, pattern, '[$&]')).toBe(text.replaceAll(new RegExp(pattern, 'gu'), '[$&]'))
      }),
      { numRuns: 5000 },
    )
  })
})
