import { describe, expect, it } from 'vitest'
import { rangeOf } from './page-size.ts'
import { asCount, asPage, searchReader } from './search.ts'
import { fromCommaList, matching } from '../form/pick-list.ts'
import { visibilityOf, type Column } from './table-columns.ts'

const columns: readonly Column<string>[] = [
  { id: 'name', header: 'Name', cell: (row) => row, isFixed: true },
  { id: 'size', header: 'Size', cell: (row) => row.length },
  { id: 'extra', header: 'Extra', cell: () => null, isOptional: true },
]

describe('columns', () => {
  it('are shown by default except optional ones', () => {
    expect(visibilityOf(columns)).toEqual({ name: true, size: true, extra: false })
  })

  it('follow the reader’s choice, but a fixed one stays', () => {
    expect(visibilityOf(columns, { name: false, size: false, extra: true })).toEqual({ name: true, size: false, extra: true })
  })
})

describe('a page of a list', () => {
  it.each([
    ['the server counts', { page: 2, size: 10, rows: 10, total: 21 }, { from: 11, to: 20, hasNext: true }],
    ['the last counted page is full', { page: 2, size: 10, rows: 10, total: 20 }, { from: 11, to: 20, hasNext: false }],
    [
      'the server gives no total and the page is full',
      { page: 1, size: 10, rows: 10, total: undefined },
      { from: 1, to: 10, hasNext: true },
    ],
    [
      'the server gives no total and the page is short',
      { page: 3, size: 10, rows: 4, total: undefined },
      { from: 21, to: 24, hasNext: false },
    ],
  ])('knows its place when %s', (_when, given, expected) => {
    expect(rangeOf(given)).toEqual(expected)
  })
})

describe('a long list', () => {
  it('is searched by words in any order and case', () => {
    expect(matching(['gpt-4o', 'gpt-4o-mini', 'claude'], 'MINI gpt')).toEqual(['gpt-4o-mini'])
    expect(matching(['a', 'b'], '  ')).toEqual(['a', 'b'])
  })

  it('is read from commas without blanks and repeats', () => {
    expect(fromCommaList(' a, b,,a ,')).toEqual(['a', 'b'])
  })
})

describe('the address of a list', () => {
  it('leaves out what is absent, and overwrites what is not understood, which the router would keep', () => {
    const read = searchReader({ page: asPage, start: asCount, end: asCount })
    expect(Object.entries(read({ page: 3, start: 'yesterday' }))).toEqual([
      ['page', 3],
      ['start', undefined],
    ])
  })
})
