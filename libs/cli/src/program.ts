import { Command, Option } from 'commander'
import type { CliEnv } from '@tollgate/config/cli-env'
import { readCount } from './commands/command.ts'
import { addCompletion } from './commands/completion.ts'
import { addConfig } from './commands/config/commands.ts'
import { addFiles } from './commands/files.ts'
import { addSignIn } from './commands/login.ts'
import { addLogs } from './commands/logs.ts'
import { addResources } from './commands/resources.ts'
import { addChecks } from './commands/verify.ts'
import { FORMATS } from './output/print.ts'

/** All commands. Nothing is read or sent until one runs. */
export function createProgram(version: string, env: CliEnv): Command {
  const program = new Command('tollgate')
    .description('Works with an installation of Tollgate')
    .version(version)
    .option('--profile <name>', 'the profile of a sign-in (default: TOLLGATE_PROFILE, else default)')
    .addOption(new Option('--output <form>', 'the form of the output').choices(FORMATS).default('table'))
    .option('--timeout <seconds>', 'how long an answer is waited for', readCount, 30)
    .showHelpAfterError('(--help lists what there is)')
    .configureHelp({ showGlobalOptions: true })
  addSignIn(program, env)
  addResources(program, env)
  addLogs(program, env)
  addConfig(program, env)
  addFiles(program, env)
  addChecks(program, env)
  addCompletion(program)
  return program
}
