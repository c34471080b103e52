import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readCommandLine, refuse } from '../../tests/support/command-line.ts'
import { cpuMicrosOfAll, familyOf, rssBytes } from './proc.ts'

/** `npm run bench:idle` reads what each process of a running `npm start` costs, with its descendants, without load. */
const COMMAND = {
  command: 'npm run bench:idle --',
  about: 'Reads the CPU and memory of each process of a running npm start without load.',
  example: 'npm run bench:idle -- --state .data',
  options: {
    state: { type: 'string', about: 'the folder that npm start -- --where prints' },
    seconds: { type: 'string', default: '60', about: 'length of the measurement in seconds' },
  },
} as const
const { values: options } = readCommandLine(COMMAND)
const state = options.state ?? refuse(COMMAND, '--state is missing')
const seconds = Number(options.seconds)

const PARTS = ['relay', 'control-plane', 'worker', 'redis', 'postgres']
const pids = PARTS.map((part) => Number(/"pid":(\d+)/.exec(readFileSync(join(state, 'pids', `${part}.json`), 'utf8'))?.[1]))

const before = pids.map(cpuMicrosOfAll)
await wait(seconds * 1000)
for (const [at, pid] of pids.entries()) {
  const share = (cpuMicrosOfAll(pid) - (before[at] ?? 0)) / (seconds * 1e6)
  const family = familyOf(pid)
  process.stdout.write(
    `${PARTS[at]}: ${(share * 100).toFixed(2)} % of a core, ${Math.round(rssBytes(family) / 1e6)} MB resident in ${family.length} processes\n`,
  )
}
