import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { inheritedEnv } from '@tollgate/config/inherited-env'
import { requireChromium, requireRedisBinary } from '../machine/system-packages.ts'

/** `npm test`: installs Redis and Chromium if they are missing, then runs all tests once. Arguments go to vitest. */
export async function test(args: readonly string[]): Promise<number> {
  await requireRedisBinary()
  const chromium = await requireChromium()
  const require = createRequire(import.meta.url)
  const vitest = join(dirname(require.resolve('vitest/package.json')), 'vitest.mjs')
  const env = inheritedEnv({ NODE_ENV: 'test', TZ: 'UTC', CHROMIUM: chromium })
  const child = spawn(process.execPath, [vitest, 'run', ...args], { env, stdio: ['ignore', 'inherit', 'inherit'] })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  await once(child, 'exit')
  return child.exitCode ?? 1
}
