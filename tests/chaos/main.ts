import { parseOptions } from './options.ts'
import { regressions } from './regressions.ts'
import { runChaos } from './run.ts'

/** `npm run chaos -- --seed N …`: exit code 1 on a violation. README.md lists the options. */
const options = parseOptions(process.argv.slice(2))
process.exitCode = options.isReplay ? await replay() : (await runChaos(options)) ? 0 : 1
process.exit()

async function replay(): Promise<number> {
  let failed = 0
  for (const { args, found } of regressions) {
    process.stdout.write(`chaos ${args}: once found that ${found}\n`)
    if (!(await runChaos(parseOptions(args.split(' '))))) failed += 1
  }
  process.stdout.write(`${regressions.length - failed} of ${regressions.length} passed\n`)
  return failed === 0 ? 0 : 1
}
