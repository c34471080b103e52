import { InvalidArgumentError, type Command } from 'commander'
import type { CliEnv } from '@tollgate/config/cli-env'
import { openSession, type CommonOptions, type Session } from '../session/session.ts'

export type { Command } from 'commander'

export type Described = {
  /** As commander reads it: `get <id>`. */
  readonly usage: string
  readonly about: string
  readonly example: string
}

const examples = new WeakMap<Command, string>()

/** Adds a command with an example in its help. */
export function describe(parent: Command, { usage, about, example }: Described): Command {
  const command = parent.command(usage).description(about)
  examples.set(command, example)
  return command.addHelpText('after', `\nExample:\n  ${example}`)
}

export const exampleOf = (command: Command): string => examples.get(command) ?? ''

/** The session and the options of a command that runs. */
export function contextOf<T extends object>(
  command: Command,
  env: CliEnv,
): { readonly session: Session; readonly options: CommonOptions & T } {
  const options: CommonOptions & T = command.optsWithGlobals()
  return { session: openSession(options, env), options }
}

/** Reads a number above zero from an argument. */
export function readCount(value: string): number {
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new InvalidArgumentError('It is a number from 1.')
  return Number(value)
}
