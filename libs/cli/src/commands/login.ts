import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Command } from 'commander'
import type { CliEnv } from '@tollgate/config/cli-env'
import { CliError, EXIT } from '../failure.ts'
import { renderPairs, dollarsOf } from '../output/text.ts'
import { print } from '../output/print.ts'
import { saveProfile } from '../session/profiles.ts'
import { profileName, readSite, Session, type CommonOptions } from '../session/session.ts'
import { contextOf, describe } from './command.ts'

export function addSignIn(program: Command, env: CliEnv): void {
  describe(program, {
    usage: 'login <address>',
    about: 'Checks an access token and keeps it in a profile; the token is asked for, or read from standard input',
    example: 'tollgate login https://gateway.example --user 1',
  })
    .requiredOption('--user <id>', 'the id of the account, as the personal settings show it')
    .action(async (address: string, _, command: Command) => await login(address, command.optsWithGlobals(), env))
  describe(program, {
    usage: 'status',
    about: 'Shows where the profile leads, the version there, the account and its balance',
    example: 'tollgate status --profile staging',
  }).action(async (_, command: Command) => await showStatus(command, env))
}

async function login(address: string, options: CommonOptions & { readonly user: string }, env: CliEnv): Promise<void> {
  if (!/^https?:\/\/\S+$/.test(address)) throw new CliError(`not an address: ${address}. It begins with https:// or http://`, EXIT.usage)
  if (!/^\d+$/.test(options.user)) throw new CliError(`not an account's id: ${options.user}`, EXIT.usage)
  const accessToken = env.accessToken === '' ? await askToken() : env.accessToken
  if (accessToken === '') throw new CliError('no access token was given', EXIT.usage)
  const profile = { address: address.replace(/\/+$/, ''), user_id: Number(options.user), access_token: accessToken, role: 0 }
  const session = new Session(profile, options.timeout)
  await readSite(session)
  const account = await session.data(session.client.GET('/api/user/self'))
  const name = profileName(options, env)
  const file = saveProfile(env.folder, name, { ...profile, role: account.role })
  process.stdout.write(`Signed in to ${profile.address} as ${account.username} (profile ${name}, ${file})\n`)
}

/** Reads a line; on a terminal it is asked for and not shown. */
async function askToken(): Promise<string> {
  const isTerminal = process.stdin.isTTY
  if (isTerminal) process.stderr.write('Access token: ')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTerminal })
  for await (const line of lines) {
    lines.close()
    if (isTerminal) process.stderr.write('\n')
    return line.trim()
  }
  return ''
}

const ROLES: Readonly<Record<number, string>> = { 1: 'user', 10: 'administrator', 100: 'root' }

async function showStatus(command: Command, env: CliEnv): Promise<void> {
  const { session, options } = contextOf(command, env)
  const site = await readSite(session)
  const account = await session.data(session.client.GET('/api/user/self'))
  const away = await session.data(session.client.GET('/api/status/stores'))
  const { address } = session.profile
  const data = {
    address,
    version: site.version,
    system_name: site.system_name,
    account: { id: account.id, username: account.username, role: account.role, quota: account.quota },
    stores_away: away,
  }
  print(options.output, data, () =>
    renderPairs([
      ['Address', address],
      ['Site', site.system_name],
      ['Version', site.version],
      ['Account', `${account.username} (${account.id}, ${ROLES[account.role] ?? account.role})`],
      ['Balance', dollarsOf(account.quota, site.quota_per_unit)],
      ['Stores', away.length === 0 ? 'all answer' : `away: ${away.join(', ')}`],
    ]),
  )
}
