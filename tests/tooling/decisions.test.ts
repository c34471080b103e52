import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const folder = join(import.meta.dirname, '../../docs/adr')
const decisions = globSync('[0-9]*.md', { cwd: folder })
  .toSorted()
  .map((file) => ({ file, number: Number(file.slice(0, 4)), text: readFileSync(join(folder, file), 'utf8') }))
const titleOf = (text: string): string => /^# \d+\. (.+)$/m.exec(text)?.[1] ?? ''

/** `**Status:** accepted, 2026-11-27; changes [ADR 2](0002-….md) and [ADR 14](0014-….md)` */
const LINK = /\[ADR \d+\]\(\d{4}-[a-z0-9-]+\.md\)/.source
const STATUS = new RegExp(
  `^\\*\\*Status:\\*\\* accepted, \\d{4}-\\d\\d-\\d\\d(; (changes|changed by|extends|replaced by) ${LINK}((, | and )${LINK})*)*$`,
)

describe('the decisions in docs/adr', () => {
  it('have the number of their file, a title, a status with a date, and then their context and decision', () => {
    expect(decisions.length).toBeGreaterThan(80)
    const others = decisions.filter(({ number, text }) => {
      const [title = '', empty, status = '', next, ...rest] = text.split('\n')
      const sections = rest.filter((line) => line.startsWith('## ')).slice(0, 2)
      const isHeader = title.startsWith(`# ${number}. `) && empty === '' && STATUS.test(status) && next === ''
      return !isHeader || sections.join() !== '## Context,## Decision'
    })
    expect(others.map(({ file }) => file)).toEqual([])
  })

  it('have numbers of their own', () => {
    expect(new Set(decisions.map(({ number }) => number)).size).toBe(decisions.length)
  })

  it('are each once in the index, under their title', () => {
    const index = readFileSync(join(folder, 'README.md'), 'utf8')
    const listed = index.split('\n').filter((line) => /^- \[\d/.test(line))
    expect(listed.toSorted()).toEqual(decisions.map(({ file, number, text }) => `- [${number}](${file}) ${titleOf(text)}`).toSorted())
  })
})
