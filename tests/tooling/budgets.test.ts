import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** Names of the budgets that the services make. */
function namesInCode(): string[] {
  const files = globSync(['services/*/src/**/*.ts', 'libs/*/src/**/*.ts'], { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'))
  return files.flatMap((file) => {
    const text = read(file)
    const makesBudgets = /import \{[^}]*\bBudget\b[^}]*\} from '@tollgate\/shares\/budget'/.test(text) && text.includes('new Budget(')
    return makesBudgets ? [...text.matchAll(/\bname: '([a-z_]+)'/g)].map(([, name]) => name ?? '') : []
  })
}

it('has a row for every budget of long or large work', () => {
  const rows = [...read('docs/security.md').matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, name]) => name ?? '')
  const names = namesInCode()

  expect(names.length).toBeGreaterThan(10)
  expect(names.filter((name) => !rows.includes(name))).toEqual([])
})
