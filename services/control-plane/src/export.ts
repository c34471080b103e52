import { parseArgs } from 'node:util'
import { resolve } from 'node:path'
import { ControlPlaneEnv, parseEnv } from '@tollgate/config/env'
import { createSealer } from '@tollgate/config/sealing'
import { VERSION } from '@tollgate/config/version'
import { openLogStore } from '@tollgate/log-store/open'
import { connectDb } from '@tollgate/db/connect'
import { STATEMENT_LIMITS } from '@tollgate/db/statement-limits'
import { toLine } from '@tollgate/telemetry/error-line'
import { writeExport } from './moving-out/write-export.ts'

/** `npm run export -- --to FOLDER`: writes all that is an operator's own as open files. docs/guides/moving-out.md */
try {
  await main()
} catch (error) {
  process.stderr.write(`export: ${toLine(error)}\n`)
  process.exitCode = 1
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      to: { type: 'string' },
      'with-keys': { type: 'boolean', default: false },
      'with-passwords': { type: 'boolean', default: false },
    },
  })
  if (values.to === undefined) throw new Error('name a new folder: npm run export -- --to FOLDER')
  const env = parseEnv(ControlPlaneEnv)
  const db = connectDb({ url: env.DATABASE_URL, max: 1, name: 'tollgate-export', limits: STATEMENT_LIMITS.long })
  const logStore = await openLogStore({ url: env.LOG_STORE_URL, db, now: Date.now })
  const sealers = { channels: createSealer(env.KEY_CHANNELS), options: createSealer(env.KEY_OPTIONS) }
  const dir = resolve(values.to)
  try {
    const { files } = await writeExport(
      { db, sealers, now: Date.now, version: VERSION },
      {
        dir,
        withKeys: values['with-keys'],
        withPasswords: values['with-passwords'],
        onFile: ({ name, rows }) => void (name.endsWith('.jsonl') ? process.stdout.write(`  ${name}: ${rows} rows\n`) : false),
      },
    )
    process.stdout.write(`${files.length} files in ${dir}\n`)
    if (values['with-keys']) process.stdout.write('they hold keys in clear text: keep them safe\n')
  } finally {
    await logStore?.close()
    await db.destroy()
  }
}
