// Checks every source file against .dependency-cruiser.cjs. dependency-cruiser cannot use TypeScript 7 and parses with @swc/core. When
// that fails it reads no module and reports no violation, so every tracked source that was not read is an error here.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser'

const root = resolve(process.argv[2] ?? '.')
process.chdir(root)
const { options, ...ruleSet } = createRequire(import.meta.url)(resolve('.dependency-cruiser.cjs'))

const sources = execFileSync('git', ['ls-files', '--', '*.ts', '*.tsx'], { encoding: 'utf8' })
  .split('\n')
  .filter(
    (file) =>
      file !== '' &&
      !/[.]d[.]ts$|[.]gen[.]ts$|(?:^|\/)__fixtures__\/|^load-tests\/|^web\/docs\/|^tests\/clients\/(?:node|setups\/programs)\/|^helm\//.test(
        file,
      ),
  )

/** Imports against the floors of a package that are still there, as `from → to`. A test lets this file shrink only. */
const exceptions = new Set(readExceptions('scripts/boundaries/exceptions.json'))

const cruiseOptions: ICruiseOptions = { ...options, ruleSet, validate: true }
const folders = ['libs', 'services', 'web', 'deploy', 'tests', 'scripts', 'vitest.config.ts'].filter((folder) => existsSync(folder))
const { output } = await cruise(folders, cruiseOptions)
if (typeof output === 'string') throw new Error('dependency-cruiser returned text instead of a result')
report(output)

function report(result: ICruiseResult): void {
  const cruised = new Set(result.modules.map((module) => module.source))
  const missed = sources.filter((file) => !cruised.has(file))
  const comments = new Map((result.summary.ruleSetUsed?.forbidden ?? []).map((rule) => [rule.name, rule.comment ?? '']))
  const violations = result.summary.violations.filter(({ from, to }) => !exceptions.has(`${from} → ${to}`))
  const used = new Set(result.summary.violations.map(({ from, to }) => `${from} → ${to}`))
  const unused = [...exceptions].filter((exception) => !used.has(exception))
  for (const { rule, from, to } of violations) {
    console.error(`${rule.severity} ${rule.name}: ${from}${from === to ? '' : ` → ${to}`}\n    ${comments.get(rule.name) ?? ''}`)
  }
  for (const file of missed) console.error(`error not-cruised: ${file} is tracked but was not read; see scripts/check-boundaries.ts`)
  for (const exception of unused)
    console.error(`error unused-exception: ${exception}\n    Fix: remove it from scripts/boundaries/exceptions.json.`)
  const wrong = violations.length + missed.length + unused.length
  console.log(`${cruised.size} modules cruised for ${sources.length} tracked sources, ${wrong} violations`)
  process.exitCode = wrong === 0 ? 0 : 1
}

function readExceptions(path: string): string[] {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []
}
