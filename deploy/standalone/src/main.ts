import { parseEnv } from '@tollgate/config/env'
import { LauncherEnv } from '@tollgate/config/launcher-env'
import { backup } from './commands/backup.ts'
import { clean } from './commands/clean.ts'
import { dev } from './commands/dev.ts'
import { exportTo } from './commands/export.ts'
import { importFrom } from './commands/import.ts'
import { archiveLogs } from './commands/logs-archive.ts'
import { moveLogs } from './commands/logs-move.ts'
import { findPaths } from './machine/paths.ts'
import { toLine } from '@tollgate/telemetry/error-line'
import { restore } from './commands/restore.ts'
import { createSecrets } from './commands/secrets.ts'
import { rotateKeys } from './commands/rotate-keys.ts'
import { seedDemoData } from './commands/seed-demo.ts'
import { start } from './commands/start.ts'
import { test } from './commands/test.ts'
import { verifyLedger } from './commands/verify-ledger.ts'

const USAGE =
  'use: npm start [-- --demo | --where], npm run dev, npm run clean, npm run verify:ledger [-- --sample N], npm run backup -- FOLDER, npm run restore -- BACKUP, npm run rotate:keys [-- --drop-old], npm run import -- --from ADDRESS, npm run export -- --to FOLDER, npm run logs:archive [-- --month YYYY-MM | --restore YYYY-MM | --find ID], npm run logs:move [-- --drop], npm run seed:demo, npm run secrets, npm test'

/** Entry point after bootstrap.mjs: runs one command; a failure prints one line and exits with 1. */
async function main([command = 'start', ...args]: readonly string[]): Promise<number> {
  const env = parseEnv(LauncherEnv)
  const paths = await findPaths(env)
  if (command === 'test') return await test(args)
  if (args.includes('--help')) {
    console.log(`${USAGE}\nPORT=3100 npm start uses another port; every variable is in docs/guides/running.md`)
    return 0
  }
  if (command === 'secrets') return await createSecrets(paths.root)
  if (command === 'backup') return await backup({ paths, env, args })
  if (command === 'restore') return await restore({ paths, env, args })
  if (command === 'rotate-keys') return await rotateKeys({ paths, env, args })
  if (command === 'verify-ledger') return await verifyLedger({ paths, env, args })
  if (command === 'export') return await exportTo({ paths, env, args })
  if (command === 'import') return await importFrom({ paths, env, args })
  if (command === 'logs-archive') return await archiveLogs({ paths, env, args })
  if (command === 'logs-move') return await moveLogs({ paths, env, args })
  if (command === 'seed-demo') return await seedDemoData({ paths, env })
  const unknown = args.find((arg) => !['--demo', '--where'].includes(arg))
  if (unknown !== undefined) throw new Error(`unknown option ${unknown}; ${USAGE}`)
  if (args.includes('--where')) {
    console.log(paths.stateDir)
    return 0
  }
  if (command === 'clean') return await clean(paths)
  if (command === 'dev') return await dev(paths, env)
  if (command === 'start') return await start({ paths, env, isDemo: args.includes('--demo') })
  throw new Error(`unknown command ${command}; ${USAGE}`)
}

try {
  process.exit(await main(process.argv.slice(2)))
} catch (error) {
  console.error(`tollgate: ${toLine(error)}`)
  process.exit(1)
}
