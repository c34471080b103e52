import { describe, expect, it } from 'vitest'
import { FilterInt, IdParams, PageQuery, QueryFlag, queryText, QueryText, textOf, TextOrNull } from './common-schemas.ts'

const read = (schema: { safeParse(value: unknown): { success: boolean; data?: unknown } }, value: unknown): unknown => {
  const found = schema.safeParse(value)
  return found.success ? found.data : 'refused'
}

describe('values of a query string', () => {
  it.each<[unknown, number]>([
    [undefined, 0],
    ['', 0],
    ['3', 3],
    [' 3 ', 3],
    ['3.9', 3],
    ['-1', -1],
    ['NaN', 0],
    ['abc', 0],
    ['1e999', 0],
    ['9007199254740993', 0],
    ['Infinity', 0],
  ])('a page %j is read as %i, because existing consoles never get an error for it', (p, page) => {
    expect(read(PageQuery, { p, page_size: p })).toEqual({ p: page, page_size: page })
  })

  it.each<[unknown, unknown]>([
    [undefined, 0],
    ['', 0],
    ['NaN', 0],
    ['null', 0],
    ['undefined', 0],
    ['1750000000', 1_750_000_000],
    [7, 7],
    ['yesterday', 'refused'],
    ['1e999', 'refused'],
    ['1;drop', 'refused'],
    [{}, 'refused'],
  ])('a filter %j is read as %j, because an ignored filter would show too much', (value, expected) => {
    expect(read(FilterInt, value)).toBe(expected)
  })

  it.each<[unknown, boolean]>([
    ['true', true],
    ['1', true],
    ['t', true],
    [true, true],
    ['yes', false],
    ['false', false],
    ['', false],
    [undefined, false],
  ])('a switch %j is %j', (value, expected) => {
    expect(read(QueryFlag, value)).toBe(expected)
  })

  it('a text is empty when it is absent, and refused beyond its limit', () => {
    expect(read(queryText(3), undefined)).toBe('')
    expect(read(queryText(3), 'abc')).toBe('abc')
    expect(read(queryText(3), 'abcd')).toBe('refused')
    expect(read(QueryText, ['a', 'b'])).toBe('refused')
  })
})

describe('ids in a path', () => {
  it.each<[string, unknown]>([
    ['7', { id: 7 }],
    ['0', { id: 0 }],
    ['-1', 'refused'],
    ['1.5', 'refused'],
    ['abc', 'refused'],
    ['9007199254740992', 'refused'],
    ['1e3', { id: 1000 }],
  ])('%j is %j', (id, expected) => {
    expect(read(IdParams, { id })).toEqual(expected)
  })
})

describe('texts of a body', () => {
  it.each<[unknown, unknown, unknown]>([
    [undefined, '', undefined],
    ['abc', 'abc', 'abc'],
    [null, 'refused', null],
    [5, 'refused', 'refused'],
    ['x'.repeat(2001), 'refused', 'refused'],
  ])('%j', (value, text, nullable) => {
    expect([read(textOf(2000), value), read(TextOrNull, value)]).toEqual([text, nullable])
  })
})
