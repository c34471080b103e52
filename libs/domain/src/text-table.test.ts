import { describe, expect, it } from 'vitest'
import { readTextTable } from './text-table.ts'

describe('a table of text', () => {
  it('keeps the lines on which rows begin, across quoted line breaks and empty lines', () => {
    const { rows, broken_line } = readTextTable('\uFEFFa,b\r\n"one\r\ntwo",2\r\n\r\n"say ""x""",3\r\n')

    expect(broken_line).toBeUndefined()
    expect(rows).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['one\r\ntwo', '2'] },
      { line: 5, cells: ['say "x"', '3'] },
    ])
  })

  it('finds other delimiters', () => {
    expect(readTextTable('day;model\n2026-11-01;m').rows.map(({ cells }) => cells)).toEqual([
      ['day', 'model'],
      ['2026-11-01', 'm'],
    ])
  })

  it('names the line of a quote that is not closed', () => {
    expect(readTextTable('a,b\n1,2\n"3,4\n5,6').broken_line).toBe(3)
  })
})
