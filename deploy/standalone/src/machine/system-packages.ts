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

type Program = {
  readonly title: string
  /** Names on the PATH and absolute paths. */
  readonly names: readonly string[]
  readonly packages: Names
  readonly neededBy: string
  readonly versionFlag?: string
}

const sameName = (name: string): Names => ({ debian: name, fedora: name, arch: name, alpine: name, mac: name })

/**
 * Absolute path of Chromium for the browser tests, as Playwright needs it, found or installed in the same way. Debian has a build without
 * windows, in which a page costs a seventh less.
 */
export const requireChromium = (): Promise<string> =>
  requireProgram({
    title: 'Chromium',
    names: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'],
    packages: { ...sameName('chromium'), debian: 'chromium-headless-shell', mac: '--cask chromium' },
    neededBy: 'which the browser tests need',
  })

/** The same of nginx for the rolling-restart test. */
export const requireNginx = (): Promise<string> =>
  requireProgram({
    title: 'nginx',
    names: ['nginx', '/usr/sbin/nginx'],
    packages: { ...sameName('nginx'), debian: 'nginx-light' },
    neededBy: 'which the test of rolling restarts needs',
    versionFlag: '-v',
  })

/** The same of HAProxy for a cluster on one machine. */
export const requireHaproxy = (): Promise<string> =>
  requireProgram({
    title: 'HAProxy',
    names: ['haproxy', '/usr/sbin/haproxy'],
    packages: sameName('haproxy'),
    neededBy: 'which balances the services of npm run cluster',
    versionFlag: '-v',
  })

/** The same of MariaDB's server for the tests of imports. */
export const requireMariadb = (): Promise<string> =>
  requireProgram({
    title: 'MariaDB',
    names: ['mariadbd', '/usr/sbin/mariadbd'],
    packages: { ...sameName('mariadb'), debian: 'mariadb-server', fedora: 'mariadb-server' },
    neededBy: 'which the tests of imports need',
  })

/** The same of PgBouncer for the tests through a pooler. */
export const requirePgbouncer = (): Promise<string> =>
  requireProgram({
    title: 'PgBouncer',
    names: ['pgbouncer', '/usr/sbin/pgbouncer'],
    packages: sameName('pgbouncer'),
    neededBy: 'which the tests through a pooler need',
  })

async function requireProgram({ title, names, packages, neededBy, versionFlag }: Program): Promise<string> {
  const found = await findProgram(names, versionFlag)
  if (found !== undefined) return found
  if (await canInstall()) await aptInstall(packages.debian)
  const installed = await findProgram(names, versionFlag)
  if (installed !== undefined) return installed
  throw new Error(`${title} is missing, ${neededBy}. Install it (${await installCommand(packages)})`)
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
