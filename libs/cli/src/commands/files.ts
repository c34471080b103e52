import { readFileSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { CliEnv } from '@tollgate/config/cli-env'
import { CliError, EXIT } from '../failure.ts'
import { print, render } from '../output/print.ts'
import { renderTable } from '../output/text.ts'
import type { Session } from '../session/session.ts'
import { contextOf, describe } from './command.ts'
import { addConfigExport } from './config/export-config.ts'

type Target = { readonly file?: string }

const TEXT = { parseAs: 'text' } as const

const FILES: Readonly<Record<string, { readonly about: string; readonly read: (session: Session) => Promise<string> }>> = {
  channels: {
    about: 'all channels as JSON, without their keys',
    read: async (session) => render('json', await session.data(session.client.POST('/api/channel/export', { body: {} }))),
  },
  logs: {
    about: "the account's log entries as CSV",
    read: (session) => session.data(session.client.GET('/api/log/self/export', TEXT)),
  },
  wallet: {
    about: "the account's wallet entries as CSV",
    read: (session) => session.data(session.client.GET('/api/user/wallet/export', TEXT)),
  },
  focus: {
    about: "the account's cost of this month in the FOCUS format",
    read: (session) => session.data(session.client.GET('/api/log/self/focus/export', TEXT)),
  },
}

export function addFiles(program: Command, env: CliEnv): void {
  const exports = program.command('export').description('Writes lists as files')
  for (const [name, { about, read }] of Object.entries(FILES)) {
    describe(exports, { usage: name, about: `Writes ${about}`, example: `tollgate export ${name} --file ${name}.out` })
      .option('--file <path>', 'instead of standard output')
      .action(async (_, command: Command) => {
        const { session, options } = contextOf<Target>(command, env)
        const text = await read(session)
        if (options.file === undefined) process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
        else writeTo(options.file, text)
      })
  }
  addConfigExport(exports, env)
  const imports = program.command('import').description('Reads files')
  describe(imports, {
    usage: 'channels <file>',
    about: 'Creates the channels of a file that are not there yet',
    example: 'tollgate import channels channels.json --preview',
  })
    .option('--preview', 'says what would be created, and creates nothing')
    .action(async (file: string, _, command: Command) => await importChannels(file, command, env))
}

async function importChannels(file: string, command: Command, env: CliEnv): Promise<void> {
  const { session, options } = contextOf<{ readonly preview?: true }>(command, env)
  const body = { file: readFrom(file), is_preview: options.preview === true }
  const rows = await session.data(session.client.POST('/api/channel/import', { body }))
  print(options.output, rows, () =>
    renderTable(
      ['CHANNEL', 'RESULT', 'MESSAGE'],
      rows.map(({ name, result, message }) => [name, result, message]),
    ),
  )
  if (rows.some(({ result }) => result === 'refused')) process.exitCode = EXIT.refused
}

function readFrom(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new CliError(`cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`, EXIT.usage)
  }
}

function writeTo(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new CliError(`cannot write ${file}: ${error instanceof Error ? error.message : String(error)}`, EXIT.usage)
  }
}
