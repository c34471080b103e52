import { toLine } from '@tollgate/telemetry/error-line'
import { parseEnv, RestoreEnv } from '@tollgate/config/env'
import { checkBackup, loadBackup } from './backup/read-backup.ts'

/** `node services/worker/src/restore.ts DIR`: checks a backup and loads it into the empty database of DATABASE_URL. docs/guides/backup.md */
try {
  await run()
} catch (error) {
  process.stderr.write(`restore: ${toLine(error)}\n`)
  process.exit(1)
}

async function run(): Promise<void> {
  const [dir, ...others] = process.argv.slice(2)
  if (dir === undefined || others.length > 0) throw new Error('name the folder of one backup')
  const { DATABASE_URL, MIGRATE_DATABASE_URL, SHARDS } = parseEnv(RestoreEnv)
  const manifest = await checkBackup(dir)
  if (manifest.shards !== SHARDS) throw new Error(`the backup has SHARDS=${manifest.shards}: set the same here`)
  process.stdout.write(`checked the backup of ${manifest.created_at} (version ${manifest.version})\n`)
  await loadBackup(MIGRATE_DATABASE_URL || DATABASE_URL, dir, manifest)
  process.stdout.write(`loaded ${manifest.tables.reduce((sum, { rows }) => sum + rows, 0)} rows of ${manifest.tables.length} tables\n`)
}
