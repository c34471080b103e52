import { describe, expect, it } from 'vitest'
import type { Command } from 'commander'
import { exampleOf } from './commands/command.ts'
import { withoutSecrets } from './output/print.ts'
import { dollarsOf, renderTable } from './output/text.ts'
import { createProgram } from './program.ts'

const program = createProgram('1.0.0', { folder: '/nowhere', profile: '', address: '', accessToken: '', user: '' })
const leavesOf = (command: Command, path: string): (readonly [string, Command])[] =>
  command.commands.flatMap((part) =>
    part.commands.length > 0 ? leavesOf(part, `${path} ${part.name()}`) : [[`${path} ${part.name()}`, part] as const],
  )

describe('the commands', () => {
  it.each(leavesOf(program, 'tollgate'))('%s shows an example of itself in its help', (path, command) => {
    expect(exampleOf(command)).toContain(path)
    expect(command.description()).not.toBe('')
  })
})

describe('the output', () => {
  it('aligns columns of wide characters and removes control characters', () => {
    const table = renderTable(
      ['NAME', 'ID'],
      [
        ['渠道', '1'],
        ['a\u001b[2J\u0007', '2'],
      ],
    )

    expect(table.split('\n')).toEqual(['NAME  ID', '渠道  1', 'a     2'])
  })

  it('cuts secrets, and keeps the names of options', () => {
    const data = [
      { key: 'sk-1234567890' },
      { key: 'ServerAddress', value: 'https://example.com' },
      { nested: { access_token: 'abcdefgh' } },
    ]

    expect(withoutSecrets(data)).toEqual([
      { key: 'sk-1…' },
      { key: 'ServerAddress', value: 'https://example.com' },
      { nested: { access_token: 'abcd…' } },
    ])
  })

  it('shows small charges with all their digits', () => {
    expect([0, 1, 250_000, -500_000, 1_234_567].map((quota) => dollarsOf(quota, 500_000))).toEqual([
      '$0.00',
      '$0.000002',
      '$0.500000',
      '-$1.00',
      '$2.47',
    ])
  })
})
