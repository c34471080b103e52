import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { inheritedEnv } from '@tollgate/config/inherited-env'
import { findProgram } from '@tollgate/servers/find-program'
import { findRedisBinary } from '@tollgate/servers/redis'
import { log } from './log.ts'

const run = promisify(execFile)

/** Absolute path of Redis or Valkey; installs it by apt as root, else throws with the install command for this system. */
export async function requireRedisBinary(): Promise<string> {
  const found = await findRedisBinary()
  if (found !== undefined) return found
  if (await canInstall()) await aptInstall('redis-server')
  const installed = await findRedisBinary()
  if (installed !== undefined) return installed
  const command = await installCommand({ debian: 'redis-server', fedora: 'valkey', arch: 'valkey', alpine: 'valkey', mac: 'redis' })
  throw new Error(`Redis is missing: there is no valkey-server or redis-server on the PATH. Install it (${command}), or set REDIS_URL`)
}

const browsers = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** Absolute path of Chromium for the browser tests, as Playwright needs it, found or installed in the same way. */
export async function requireChromium(): Promise<string> {
  const found = await findProgram(browsers)
  if (found !== undefined) return found
  if (await canInstall()) await aptInstall('chromium')
  const installed = await findProgram(browsers)
  if (installed !== undefined) return installed
  const command = await installCommand({
    debian: 'chromium',
    fedora: 'chromium',
    arch: 'chromium',
    alpine: 'chromium',
    mac: '--cask chromium',
  })
  throw new Error(`Chromium is missing, which the browser tests need. Install it (${command})`)
}

/** Absolute path of nginx for the rolling-restart test, found or installed in the same way. */
export async function requireNginx(): Promise<string> {
  const names = ['nginx', '/usr/sbin/nginx']
  const found = await findProgram(names, '-v')
  if (found !== undefined) return found
  if (await canInstall()) await aptInstall('nginx-light')
  const installed = await findProgram(names, '-v')
  if (installed !== undefined) return installed
  const command = await installCommand({ debian: 'nginx-light', fedora: 'nginx', arch: 'nginx', alpine: 'nginx', mac: 'nginx' })
  throw new Error(`nginx is missing, which the test of rolling restarts needs. Install it (${command})`)
}

/** Absolute path of MariaDB's server for the tests of imports, found or installed in the same way. */
export async function requireMariadb(): Promise<string> {
  const names = ['mariadbd', '/usr/sbin/mariadbd']
  const found = await findProgram(names)
  if (found !== undefined) return found
  if (await canInstall()) await aptInstall('mariadb-server')
  const installed = await findProgram(names)
  if (installed !== undefined) return installed
  const command = await installCommand({
    debian: 'mariadb-server',
    fedora: 'mariadb-server',
    arch: 'mariadb',
    alpine: 'mariadb',
    mac: 'mariadb',
  })
  throw new Error(`MariaDB is missing, which the tests of imports need. Install it (${command})`)
}

/** Absolute path of PgBouncer for the tests through a pooler, found or installed in the same way. */
export async function requirePgbouncer(): Promise<string> {
  const names = ['pgbouncer', '/usr/sbin/pgbouncer']
  const found = await findProgram(names)
  if (found !== undefined) return found
  if (await canInstall()) await aptInstall('pgbouncer')
  const installed = await findProgram(names)
  if (installed !== undefined) return installed
  const name = 'pgbouncer'
  const command = await installCommand({ debian: name, fedora: name, arch: name, alpine: name, mac: name })
  throw new Error(`PgBouncer is missing, which the tests through a pooler need. Install it (${command})`)
}

/** True if this is Debian or a derivative, running as root, with apt-get. */
async function canInstall(): Promise<boolean> {
  return process.getuid?.() === 0 && (await isFamily('debian')) && (await findProgram(['apt-get'])) !== undefined
}

async function aptInstall(name: string): Promise<void> {
  log(`installing ${name} (apt-get) …`)
  // RUNLEVEL=1 keeps the package from starting its server.
  const env = inheritedEnv({ DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' })
  try {
    await run('apt-get', ['update', '-q'], { env, maxBuffer: 64 << 20 })
    await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', name], { env, maxBuffer: 64 << 20 })
  } catch (error) {
    throw new Error(`apt-get could not install ${name}; install it by hand and try again`, { cause: error })
  }
}

type Names = Readonly<Record<'debian' | 'fedora' | 'arch' | 'alpine' | 'mac', string>>

async function installCommand(names: Names): Promise<string> {
  if (process.platform === 'darwin') return `brew install ${names.mac}`
  if (await isFamily('fedora')) return `sudo dnf install ${names.fedora}`
  if (await isFamily('arch')) return `sudo pacman -S ${names.arch}`
  if (await isFamily('alpine')) return `sudo apk add ${names.alpine}`
  return `sudo apt-get install ${names.debian}`
}

async function isFamily(family: string): Promise<boolean> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '')
  return new RegExp(`^ID(?:_LIKE)?=.*\\b${family}\\b`, 'm').test(release)
}
