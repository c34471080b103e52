import { homedir } from 'node:os'
import { join } from 'node:path'

/** Variables of the command line. */
export type CliEnv = {
  /** The folder of its configuration, after the XDG Base Directory Specification. */
  readonly folder: string
  readonly profile: string
  /** These three stand in for a profile, for example in CI. */
  readonly address: string
  readonly accessToken: string
  readonly user: string
}

export function readCliEnv(env: NodeJS.ProcessEnv = process.env): CliEnv {
  const xdg = env['XDG_CONFIG_HOME'] ?? ''
  return {
    folder: join(xdg === '' ? join(homedir(), '.config') : xdg, 'tollgate'),
    profile: env['TOLLGATE_PROFILE'] ?? '',
    address: env['TOLLGATE_ADDRESS'] ?? '',
    accessToken: env['TOLLGATE_ACCESS_TOKEN'] ?? '',
    user: env['TOLLGATE_USER'] ?? '',
  }
}

/** A variable that a file of configuration refers to; empty: not set. */
export const readVariable = (name: string, env: NodeJS.ProcessEnv = process.env): string => env[name] ?? ''
