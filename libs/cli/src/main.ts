#!/usr/bin/env node
// The command line: `npm run tollgate -- --help`.
import { CommanderError, type Command } from 'commander'
import { readCliEnv } from '@tollgate/config/cli-env'
import { VERSION } from '@tollgate/config/version'
import { CliError, EXIT } from './failure.ts'
import { createProgram } from './program.ts'

const program = createProgram(VERSION, readCliEnv())
throwInsteadOfExit(program)
// A reader that has seen enough, such as head, closes the pipe.
process.stdout.on('error', () => process.exit(EXIT.done))
try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = report(error)
}

function throwInsteadOfExit(command: Command): void {
  command.exitOverride()
  for (const part of command.commands) throwInsteadOfExit(part)
}

/** The exit code of a failure; commander has printed its own. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
  if (!(error instanceof CliError)) throw error
  process.stderr.write(`tollgate: ${error.message.replaceAll(/\s+/g, ' ')}\n`)
  return error.exitCode
}
