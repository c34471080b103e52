import { join } from 'node:path'
import { readCommandLine, refuse } from '../support/command-line.ts'
import { listMutants, type Mutant } from './mutant.ts'
import { runTests } from './run-tests.ts'
import { makeScratch, type Scratch } from './scratch.ts'

/**
 * `npm run test:mutants [-- name…]`: removes one safeguard of the ledger at a time and expects the test named in its patch to fail. Exit
 * code 1: a test still passes, a patch no longer applies, or a test was renamed.
 */
const root = join(import.meta.dirname, '../..')
const COMMAND = {
  command: 'npm run test:mutants -- [name…]',
  about:
    'Removes one safeguard of the ledger at a time and expects its test to fail. Names are those of tests/mutants/patches; without one, all run. Exit code 1: a test still passes, a patch no longer applies, or a test was renamed.',
  example: 'npm run test:mutants -- correct-unposted',
  options: {},
  allowPositionals: true,
} as const
const { positionals } = readCommandLine(COMMAND)
const all = await listMutants()
const unknown = positionals.filter((name) => !all.some((mutant) => mutant.name === name))
if (unknown.length > 0) refuse(COMMAND, `no patch ${unknown.join(', ')}; there are ${all.map(({ name }) => name).join(', ')}`)
const mutants = positionals.length === 0 ? all : all.filter(({ name }) => positionals.includes(name))
const scratch = await makeScratch(root)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void scratch.remove().finally(() => process.exit(130)))
try {
  process.exitCode = await runAll(mutants, scratch)
} finally {
  await scratch.remove()
}

async function runAll(all: readonly Mutant[], copy: Scratch): Promise<number> {
  const before = await runTests(copy.dir, all)
  const unsound = all.filter((mutant) => before.outcomeOf(mutant) !== 'green')
  for (const mutant of unsound)
    print(`${mutant.name}: its test is ${before.outcomeOf(mutant)} without the patch: ${mutant.file} > ${mutant.test}`)
  if (unsound.length > 0) {
    print(before.output.slice(-4000))
    return 1
  }
  const width = Math.max(...all.map(({ name }) => name.length))
  let failures = 0
  for (const mutant of all) {
    const startedAt = performance.now()
    const { isDetected, verdict, reason } = await judge(mutant, copy)
    if (!isDetected) failures += 1
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    print(`${mutant.name.padEnd(width)}  ${verdict.padEnd(5)}  ${seconds.padStart(5)} s  ${mutant.test}`)
    if (reason !== '') print(`${' '.repeat(width)}  ${reason.slice(0, 160)}`)
  }
  print(`${all.length - failures} of ${all.length} safeguards have a test that fails without them`)
  return failures === 0 ? 0 : 1
}

type Judged = { readonly isDetected: boolean; readonly verdict: string; readonly reason: string }

/** A failing test is the expected result. */
async function judge(mutant: Mutant, copy: Scratch): Promise<Judged> {
  if (!(await copy.apply(mutant.path)))
    return { isDetected: false, verdict: 'STALE', reason: `patches/${mutant.name}.patch no longer applies: create it again` }
  try {
    const { outcomeOf, reasonOf, output } = await runTests(copy.dir, [mutant])
    const outcome = outcomeOf(mutant)
    if (outcome === 'red') return { isDetected: true, verdict: 'red', reason: reasonOf(mutant) }
    if (outcome === 'green') return { isDetected: false, verdict: 'GREEN', reason: `no test fails without this safeguard: ${mutant.step}` }
    return { isDetected: false, verdict: 'NOT RUN', reason: output.slice(-500) }
  } finally {
    await copy.revert(mutant.path)
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
