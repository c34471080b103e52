import { House, ScrollText } from 'lucide-react'
import { describe, expect, it } from 'vitest'
import { ALIASES } from './aliases.ts'
import { idOf, isRequestId, narrow, parseQuery, type PaletteItem } from './items.ts'

const item = (id: string, label: string): PaletteItem => ({ id, label, alias: ALIASES[id] ?? '', icon: House, run: () => undefined })
const groups = [{ label: 'Pages', items: [item('/log', 'Usage'), item('/channel', 'Upstreams'), item('test-channel', 'Try…')] }]
const found = (query: string): readonly string[] => narrow(groups, query).flatMap(({ items }) => items.map(({ id }) => id))

describe('the palette', () => {
  it.each([
    ['usage', ['/log']],
    ['rizhi', ['/log']],
    ['rz', ['/log']],
    ['LOGS', ['/log']],
    ['qd', ['/channel']],
    ['channel', ['/channel', 'test-channel']],
    ['ceshi', ['test-channel']],
    ['channel test', ['test-channel']],
    ['nothing', []],
  ])('finds pages and commands by “%s”', (query, ids) => {
    expect(found(query)).toEqual(ids)
  })

  it('drops groups without a match and keeps everything without a query', () => {
    expect(narrow([...groups, { label: 'Others', items: [{ ...item('x', 'x'), icon: ScrollText }] }], 'rz')).toHaveLength(1)
    expect(found('  ')).toHaveLength(3)
  })

  it.each([
    ['test openai', 'test', 'openai'],
    ['Test channel My Channel', 'test', 'My Channel'],
    ['prüfe main', 'test', 'main'],
    ['jinyong ci', 'disable', 'ci'],
    ['qy token ci', 'enable', 'ci'],
    ['user lin', 'user', 'lin'],
    ['test ', undefined, 'test'],
    ['tester', undefined, 'tester'],
    ['gpt-4o', undefined, 'gpt-4o'],
  ])('reads “%s” as verb %s and name “%s”', (query, verb, name) => {
    expect(parseQuery(query, { test: ['prüfe'] })).toEqual({ verb, name })
  })

  it('knows ids', () => {
    expect(['12', '#12', '12a', ''].map(idOf)).toEqual([12, 12, undefined, undefined])
    expect(['0198c1d2e3f4a5b6c7d8', 'req-01234567890abcdef', 'a-long-name-of-a-thing', '12345'].map(isRequestId)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})
