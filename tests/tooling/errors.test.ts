import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { errors } from '../../libs/contracts/src/errors.ts'

const root = join(import.meta.dirname, '../..')
const FOLDER = 'libs/contracts/src/errors'

describe('error table', () => {
  it('has every row of its files once', () => {
    const rows = readdirSync(join(root, FOLDER)).flatMap((file) =>
      [...readFileSync(join(root, FOLDER, file), 'utf8').matchAll(/^ {2}'?([\w.-]+)'?: \{/gm)].map(([, code]) => code),
    )
    expect(sort(rows)).toEqual(sort(Object.keys(errors)))
  })

  it('has only rows that the product uses', () => {
    // Includes new files that are not committed yet.
    const folders = ['libs', 'services', 'web', 'deploy']
    const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...folders]
    const files = execFileSync('git', list, { cwd: root, encoding: 'utf8' })
      .split('\0')
      .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.') && !file.startsWith(FOLDER))
    const sources = files.map(read).join('\n')
    const unused = Object.keys(errors).filter((code) => !sources.includes(`'${code}'`))
    expect(unused).toEqual([])
  })
})

const sort = (codes: readonly (string | undefined)[]) => codes.toSorted((a = '', b = '') => a.localeCompare(b))

function read(file: string): string {
  try {
    return readFileSync(join(root, file), 'utf8')
  } catch {
    return '' // Tracked and deleted in the working tree.
  }
}
