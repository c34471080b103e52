import type { GroupSnapshot } from '@tollgate/contracts/relay/snapshot'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAutoGroup, listAutoGroups, resolveGroup } from './group.ts'
import { isIpAllowed } from './ip-list.ts'
import { isModelAllowed } from './model.ts'
import { buildWordSearch, findSensitive } from './sensitive.ts'

describe('isIpAllowed', () => {
  it.each([
    ['an empty list allows every address', '203.0.113.9', [], true],
    ['an exact address', '203.0.113.9', ['203.0.113.9'], true],
    ['another address', '203.0.113.10', ['203.0.113.9'], false],
    ['blanks around an entry', '203.0.113.9', [' 203.0.113.9 '], true],
    ['a range', '10.1.2.3', ['10.0.0.0/8'], true],
    ['outside a range', '11.1.2.3', ['10.0.0.0/8'], false],
    ['a range of every address', '11.1.2.3', ['0.0.0.0/0'], true],
    ['an IPv4-mapped address against an IPv4 range', '::ffff:10.1.2.3', ['10.0.0.0/8'], true],
    ['an IPv4 address against its IPv4-mapped form', '10.1.2.3', ['::ffff:10.1.2.3'], true],
    ['an IPv4 address against an IPv4-mapped range', '10.1.2.3', ['::ffff:10.0.0.0/104'], true],
    ['an IPv6 address in another spelling', '2001:db8:0:0::1', ['2001:db8::1'], true],
    ['an IPv6 range', '2001:db8:ffff::1', ['2001:db8::/32'], true],
    ['an IPv4 address against an IPv6 range', '10.1.2.3', ['2001:db8::/32'], false],
    ['an invalid entry', '10.1.2.3', ['localhost', '10.0.0.0/99', '10'], false],
    ['an invalid address', 'unknown', ['0.0.0.0/0'], false],
    ['an octal spelling matches nothing', '010.1.2.3', ['10.1.2.3', '8.1.2.3'], false],
  ])('%s', (_, ip, list, expected) => {
    expect(isIpAllowed(ip, list)).toBe(expected)
  })
})

describe('resolveGroup', () => {
  const group = (name: string, usable_label: string | null): [string, GroupSnapshot] => [name, { name, ratio: 1, usable_label }]
  const groups = new Map([group('default', '默认分组'), group('vip', 'vip分组'), group('staff', null)])

  it.each([
    ['no token group: the user’s', '', 'default', 'ok', 'default'],
    ['no token group, and the user’s group has no ratio', '', 'old', 'ok', 'old'],
    ['a usable token group', 'vip', 'default', 'ok', 'vip'],
    ['a group that is the user’s own', 'staff', 'staff', 'ok', 'staff'],
    ['a group that is not public', 'staff', 'default', 'disabled', 'staff'],
    ['a group without a ratio', 'old', 'default', 'gone', 'old'],
  ] as const)('%s', (_, token, user, kind, name) => {
    expect(resolveGroup({ group: token, user_group: user }, groups)).toEqual({ kind, group: name })
  })

  it('lists the groups of `auto` that the user may use and that have a ratio, in the operator’s order', () => {
    const order = ['staff', 'vip', 'old', '', 'default']

    expect(listAutoGroups({ user_group: 'default' }, groups, order)).toEqual(['vip', 'default'])
    expect(listAutoGroups({ user_group: 'staff' }, groups, order)).toEqual(['staff', 'vip', 'default'])
  })

  it('treats `auto` as a real group if one has that name', () => {
    const named = new Map([...groups, group('auto', null)])

    expect([isAutoGroup({ group: 'auto' }, groups), isAutoGroup({ group: 'auto' }, named), isAutoGroup({ group: 'vip' }, groups)]).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('isModelAllowed', () => {
  it.each([
    ['no list', null, 'gpt-4o', true],
    ['on the list', ['gpt-4o'], 'gpt-4o', true],
    ['not on the list', ['gpt-4o'], 'gpt-4o-mini', false],
    ['an empty list', [], 'gpt-4o', false],
    ['a wildcard of the family', ['gpt-4-gizmo-*'], 'gpt-4-gizmo-g-1', true],
  ])('%s', (_, model_limits, model, expected) => {
    expect(isModelAllowed({ model_limits }, model)).toBe(expected)
  })
})

describe('sensitive words', () => {
  it.each([
    ['a word inside others', ['secret'], 'my SECRETS are', 'secret'],
    ['none', ['secret'], 'nothing here', undefined],
    ['Chinese', ['敏感词'], '这里有敏感词吗', '敏感词'],
    ['one word inside another, found by its failure link', ['abcd', 'bc'], 'xabcx', 'bc'],
    ['the longer of two that end together', ['c', 'abc'], 'abc', 'abc'],
    ['blanks around and empty lines in the option', ['  word ', '', '   '], 'a word', 'word'],
    ['no words at all', [], 'anything', undefined],
    ['a word that begins again inside itself', ['aab'], 'aaab', 'aab'],
  ])('%s', (_, words, text, found) => {
    expect(findSensitive(buildWordSearch(words), text)).toBe(found)
  })

  it('ignores case, also for letters whose length or shape changes with it', () => {
    const pairs = [
      ['Straße', 'STRAßE'],
      ['ΟΔΟΣ', 'οδοσ'],
      ['οδος', 'ΟΔΟΣ ΟΔΟΣΑ'],
      ['İstanbul', 'nach İSTANBUL'],
      ['taksi', 'TAKSİ'],
      ['𐐨𐐩𐐪', '𐐀𐐁𐐂'],
    ]

    expect(pairs.filter(([word = '', text = '']) => findSensitive(buildWordSearch([word]), text) === undefined)).toEqual([])
  })

  it.each([
    ['words of any length', 1],
    ['words that are long enough to skip by', 3],
  ])('finds exactly where a plain search finds, with %s', (_, minLength) => {
    const unit = fc.constantFrom('a', 'b', 'A', '敏')
    const text = fc.array(unit, { maxLength: 40 }).map((units) => units.join(''))
    const word = fc.array(unit, { minLength, maxLength: 6 }).map((units) => units.join(''))
    let hits = 0
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), text, (words, subject) => {
        const trimmed = words.map((each) => each.trim().toLowerCase()).filter((each) => each.length >= minLength)

        const found = findSensitive(buildWordSearch(trimmed), subject)

        if (found !== undefined) hits += 1
        expect(found !== undefined).toBe(trimmed.some((each) => subject.toLowerCase().includes(each)))
        if (found !== undefined) expect(trimmed).toContain(found)
      }),
      { numRuns: 400 },
    )
    expect(hits).toBeGreaterThan(40)
  })

  it('finds the word behind a text that matches many prefixes', () => {
    const search = buildWordSearch([`${'a'.repeat(60)}b`, `${'a'.repeat(60)}c`])
    const text = `${'a'.repeat(59)}x`.repeat(50)

    expect(findSensitive(search, text)).toBeUndefined()
    expect(findSensitive(search, `${text}${'a'.repeat(200)}C`)).toBe(`${'a'.repeat(60)}c`)
  })

  it('finds the same words without the transition table', () => {
    const words = Array.from({ length: 8_000 }, (_, index) => `${String.fromCharCode(0x4e00 + (index % 2_000))}${index.toString(36)}`)
    const automaton = buildWordSearch([...words, 'needle', 'edl'])

    expect(findSensitive(automaton, `${'hay '.repeat(50)}neeedle`)).toBe('edl')
    expect(words.every((word) => findSensitive(automaton, `在${word}在`) !== undefined)).toBe(true)
    expect(findSensitive(automaton, '在'.repeat(100))).toBeUndefined()
  })

  it('leaves out words beyond its size limit and reports how many', () => {
    const words = Array.from({ length: 5 }, (_, index) => `${index}${'x'.repeat(49_998)}`)

    const automaton = buildWordSearch([...words, 'small'])

    expect(automaton).toMatchObject({ size: 4, left_out: 2 })
    expect(findSensitive(automaton, words[0] ?? '')).toBeDefined()
  })
})
