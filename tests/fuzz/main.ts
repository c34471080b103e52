import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCluster } from '../chaos/cluster.ts'
import { readCommandLine, refuse } from '../support/command-line.ts'
import { fuzz, type FuzzParts } from './fuzz.ts'
import { renderReport } from './report.ts'
import { TARGET_ENV, targetOfCluster } from './target.ts'

/** `npm run fuzz -- --seed 1 --calls 50000`: exit code 1 on a violation. README.md lists the options. */
const COMMAND = {
  command: 'npm run fuzz --',
  about:
    'Sends odd calls to the model routes, to realtime sessions, to SCIM and the public pages, and to the endpoint table, then audits the system. Exit code 1: a violation.',
  example: 'npm run fuzz -- --seed 2 --calls 20000 --only models',
  options: {
    seed: { type: 'string', default: '1', about: 'number that every call is derived from' },
    calls: { type: 'string', default: '50000', about: 'calls to the model routes, and as many to the endpoint table' },
    from: { type: 'string', default: '0', about: 'number of the first call' },
    width: { type: 'string', default: '24', about: 'calls at the same time' },
    only: { type: 'string', default: 'models,realtime,outside,console', about: 'parts that run, separated by commas' },
    keep: { type: 'boolean', default: false, about: 'keep the folder with the logs; a failed run always keeps it' },
  },
} as const
const { values } = readCommandLine(COMMAND)
const parts = values.only.split(',')
const unknown = parts.filter((part) => !['models', 'realtime', 'outside', 'console'].includes(part))
if (unknown.length > 0) refuse(COMMAND, `no part ${unknown.join(', ')}; there are models, realtime, outside, console`)
const wanted: FuzzParts = {
  models: parts.includes('models'),
  realtime: parts.includes('realtime'),
  outside: parts.includes('outside'),
  console: parts.includes('console'),
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

const dir = await mkdtemp(join(tmpdir(), 'tollgate-fuzz-'))
const cluster = await startCluster({ dir, relays: 1, fsync: 'everysec', reapAfter: 60, env: TARGET_ENV })
let isSound = false
try {
  const report = await fuzz(targetOfCluster(cluster), {
    seed: Number(values.seed),
    from: Number(values.from),
    calls: Number(values.calls),
    width: Number(values.width),
    parts: wanted,
  })
  isSound = report.findings.length === 0
  process.stdout.write(renderReport(report))
} finally {
  await cluster.stop()
  if (isSound && !values.keep) await rm(dir, { recursive: true, force: true })
  else process.stdout.write(`logs in ${dir}\n`)
}
process.exit(isSound ? 0 : 1)
