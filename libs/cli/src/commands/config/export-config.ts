import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { stringify } from 'yaml'
import type { CliEnv } from '@tollgate/config/cli-env'
import { CliError, EXIT } from '../../failure.ts'
import { contextOf, describe } from '../command.ts'

const SCHEMA = 'config.schema.json'
const SCHEMA_SOURCE = join(import.meta.dirname, '../../../../../docs/generated', SCHEMA)
const HEADER = `# yaml-language-server: $schema=./${SCHEMA}\n`

const SECTIONS = ['options', 'groups', 'prices', 'channels', 'organisations', 'projects', 'tokens', 'budgets'] as const
const NOTES: Readonly<Record<(typeof SECTIONS)[number], string>> = {
  options: '# Options that differ from their default. A secret is a reference: SMTPToken: { env: SMTP_TOKEN }\n',
  groups: '# Groups of users.\n',
  prices: '# Prices that differ from those of a new installation, by price option.\n',
  organisations: '# Organisations by name. A new one needs an owner: the name of a user.\n',
  projects: '# Projects of organisations.\n',
  tokens: '# Tokens by owner and name. Keys are never in files; that of a new token goes to key: { file: path }\n',
  budgets: '# Budgets of groups, users, organisations, projects, members and tokens; amounts are quota.\n',
  channels: '# Without a key the stored one is kept. Another one, or that of a new channel: key: { env: OPENAI_API_KEY }\n',
}

export function addConfigExport(exports: Command, env: CliEnv): void {
  describe(exports, {
    usage: 'config <directory>',
    about: 'Writes channels, groups, prices and options as files for plan and apply, without secrets',
    example: 'tollgate export config ./config',
  })
    .option('--user-tokens', 'also the tokens of people, which files then manage, and the budgets of these')
    .option('--force', 'writes over files that are there')
    .action(async (directory: string, _, command: Command) => await exportConfig(directory, command, env))
}

async function exportConfig(folder: string, command: Command, env: CliEnv): Promise<void> {
  const { session, options } = contextOf<{ readonly force?: true; readonly userTokens?: true }>(command, env)
  const content = await session.data(
    session.client.GET('/api/config/export', { params: { query: { user_tokens: options.userTokens === true } } }),
  )
  const files = SECTIONS.map((section) => ({ path: join(folder, `${section}.yaml`), section }))
  const present = files.find(({ path }) => existsSync(path))
  if (present !== undefined && options.force !== true) throw new CliError(`${present.path} is there; --force writes over it`, EXIT.usage)
  try {
    mkdirSync(folder, { recursive: true })
    for (const { path, section } of files)
      writeFileSync(path, `${HEADER}${NOTES[section]}${stringify({ [section]: content[section] }, { lineWidth: 0 })}`)
    copyFileSync(SCHEMA_SOURCE, join(folder, SCHEMA))
  } catch (error) {
    throw new CliError(`cannot write ${folder}: ${error instanceof Error ? error.message : String(error)}`, EXIT.usage)
  }
  process.stdout.write(`${files.map(({ path }) => path).join('\n')}\n`)
}
