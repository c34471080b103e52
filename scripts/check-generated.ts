// Runs `npm run gen` and fails when that changes a generated file.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const patterns = ['docs/generated', '*.gen.ts']

const before = readGenerated()
execFileSync('npm', ['run', 'gen', '--silent'], { stdio: ['ignore', 'inherit', 'inherit'] })
const after = readGenerated()
const changed = [...new Set([...before.keys(), ...after.keys()])].filter((file) => before.get(file) !== after.get(file))
for (const file of changed) console.error(`${file} was out of date. Fix: commit what \`npm run gen\` wrote.`)
console.log(`${after.size} generated files, ${changed.length} out of date`)
process.exitCode = changed.length === 0 ? 0 : 1

function readGenerated(): Map<string, string> {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns], { encoding: 'utf8' })
  return new Map(
    listed
      .split('\n')
      .filter((file) => file !== '')
      .map((file) => [file, read(file)]),
  )
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // A generated file that is listed by git but deleted counts as changed.
    return ''
  }
}
