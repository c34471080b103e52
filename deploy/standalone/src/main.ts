import { parseEnv } from '@tollgate/config/env'
import { LauncherEnv } from '@tollgate/config/launcher-env'
import { findPaths } from './machine/paths.ts'
import { toLine } from '@tollgate/telemetry/error-line'

const USAGE =
  'use: npm start [-- --demo | --where], npm run dev, npm run clean, npm run verify:ledger [-- --sample N], npm run backup -- FOLDER, npm run restore -- BACKUP, npm run rotate:keys [-- --drop-old], npm run import -- --from ADDRESS, npm run export -- --to FOLDER, npm run logs:archive [-- --month YYYY-MM | --restore YYYY-MM | --find ID], npm run logs:move [-- --drop], npm run seed:demo, npm run secrets, npm test'

/** Entry point after bootstrap.mjs: loads and runs one command; a failure prints one line and exits with 1. */
async function main([command = 'start', ...args]: readonly string[]): Promise<number> {
  const env = parseEnv(LauncherEnv)
  const paths = await findPaths(env)
  if (command === 'test') return await (await import('./commands/test.ts')).test(args)
  if (args.includes('--help')) {
    console.log(`${USAGE}\nPORT=3100 npm start uses another port; every variable is in docs/guides/running.md`)
    return 0
  }
  if (command === 'secrets') return await (await import('./commands/secrets.ts')).createSecrets(paths.root)
  if (command === 'backup') return await (await import('./commands/backup.ts')).backup({ paths, env, args })
  if (command === 'restore') return await (await import('./commands/restore.ts')).restore({ paths, env, args })
  if (command === 'rotate-keys') return await (await import('./commands/rotate-keys.ts')).rotateKeys({ paths, env, args })
  if (command === 'verify-ledger') return await (await import('./commands/verify-ledger.ts')).verifyLedger({ paths, env, args })
  if (command === 'export') return await (await import('./commands/export.ts')).exportTo({ paths, env, args })
  if (command === 'import') return await (await import('./commands/import.ts')).importFrom({ paths, env, args })
  if (command === 'logs-archive') return await (await import('./commands/logs-archive.ts')).archiveLogs({ paths, env, args })
  if (command === 'logs-move') return await (await import('./commands/logs-move.ts')).moveLogs({ paths, env, args })
  if (command === 'seed-demo') return await (await import('./commands/seed-demo.ts')).seedDemoData({ paths, env })
  const unknown = args.find((arg) => !['--demo', '--where'].includes(arg))
  if (unknown !== undefined) throw new Error(`unknown option ${unknown}; ${USAGE}`)
  if (args.includes('--where')) {
    console.log(paths.stateDir)
    return 0
  }
  if (command === 'clean') return await (await import('./commands/clean.ts')).clean(paths)
  if (command === 'dev') return await (await import('./commands/dev.ts')).dev(paths, env)
  if (command === 'start') return await (await import('./commands/start.ts')).start({ paths, env, isDemo: args.includes('--demo') })
  throw new Error(`unknown command ${command}; ${USAGE}`)
}

try {
  process.exit(await main(process.argv.slice(2)))
} catch (error) {
  console.error(`tollgate: ${toLine(error)}`)
  process.exit(1)
}
