import { join } from 'node:path'
import { listMutants, type Mutant } from './mutant.ts'
import { runTests } from './run-tests.ts'
import { makeScratch, type Scratch } from './scratch.ts'

/**
 * `npm run test:mutants [-- name…]`: takes one safety step of the ledger out at a time and looks whether the test that is named for it
 * turns red. Exit code 1: one stayed green, a patch does not fit any more, or a test has another name now.
 */
const root = join(import.meta.dirname, '../..')
const mutants = await listMutants(process.argv.slice(2))
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
    say(`${mutant.name}: its test is ${before.outcomeOf(mutant)} without the patch: ${mutant.file} > ${mutant.test}`)
  if (unsound.length > 0) {
    say(before.output.slice(-4000))
    return 1
  }
  const width = Math.max(...all.map(({ name }) => name.length))
  let failures = 0
  for (const mutant of all) {
    const startedAt = performance.now()
    const { isSeen, verdict, reason } = await judge(mutant, copy)
    if (!isSeen) failures += 1
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    say(`${mutant.name.padEnd(width)}  ${verdict.padEnd(5)}  ${seconds.padStart(5)} s  ${mutant.test}`)
    if (reason !== '') say(`${' '.repeat(width)}  ${reason.slice(0, 160)}`)
  }
  say(`${all.length - failures} of ${all.length} safety steps are seen by their test`)
  return failures === 0 ? 0 : 1
}

type Judged = { readonly isSeen: boolean; readonly verdict: string; readonly reason: string }

/** Red is good: the test has seen that the step is gone. */
async function judge(mutant: Mutant, copy: Scratch): Promise<Judged> {
  if (!(await copy.apply(mutant.path)))
    return { isSeen: false, verdict: 'STALE', reason: `patches/${mutant.name}.patch no longer applies: make it anew` }
  try {
    const { outcomeOf, reasonOf, output } = await runTests(copy.dir, [mutant])
    const outcome = outcomeOf(mutant)
    if (outcome === 'red') return { isSeen: true, verdict: 'red', reason: reasonOf(mutant) }
    if (outcome === 'green') return { isSeen: false, verdict: 'GREEN', reason: `nothing tells that this is gone: ${mutant.step}` }
    return { isSeen: false, verdict: 'NOT RUN', reason: output.slice(-500) }
  } finally {
    await copy.revert(mutant.path)
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
