import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startCluster } from '../chaos/cluster.ts'
import { fuzz, type FuzzParts } from './fuzz.ts'
import { renderReport } from './report.ts'
import { TARGET_ENV, targetOfCluster } from './target.ts'

/** `npm run fuzz -- --seed 1 --calls 50000`: exit code 1 on a violation. README.md lists the options. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    calls: { type: 'string', default: '50000' },
    from: { type: 'string', default: '0' },
    width: { type: 'string', default: '24' },
    only: { type: 'string', default: 'models,realtime,console' },
    keep: { type: 'boolean', default: false },
  },
})
const parts = values.only.split(',')
const wanted: FuzzParts = { models: parts.includes('models'), realtime: parts.includes('realtime'), console: parts.includes('console') }

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
