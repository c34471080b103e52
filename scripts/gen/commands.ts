import { exampleOf, type Command } from '../../libs/cli/src/commands/command.ts'
import { createProgram } from '../../libs/cli/src/program.ts'
import { code, page, table } from './markdown.ts'

/** Every command of the program, as its own help describes it. */
export function renderCommands(): string {
  const program = createProgram('', { folder: '', profile: '', address: '', accessToken: '', user: '' })
  return page({
    title: 'Commands',
    about: 'Declared in `libs/cli/src/commands`; [the guide](../guides/command-line.md) leads from the first sign-in on.',
    parts: [`Every command has these options:\n\n${optionsOf(program)}`, ...sectionsOf(program, 'tollgate')],
  })
}

function sectionsOf(command: Command, path: string): string[] {
  return command.commands.flatMap((part) => {
    const own = `${path} ${part.name()}`
    return part.commands.length > 0 ? sectionsOf(part, own) : [sectionOf(part, own)]
  })
}

function sectionOf(command: Command, path: string): string {
  const words = command.registeredArguments.map((argument) => ` <${argument.name()}>`).join('')
  const options = command.options.length === 0 ? [] : [optionsOf(command)]
  return [`## ${path}`, `${command.description()}.`, `\`${path}${words}\``, ...options, `Example: ${code(exampleOf(command))}`].join('\n\n')
}

const optionsOf = (command: Command): string =>
  table(
    ['Option', 'Effect', 'Default'],
    command.options
      .filter(({ long }) => long !== '--version')
      .map(({ flags, description, argChoices, defaultValue }) => [
        code(flags),
        argChoices === undefined ? description : `${description}: ${argChoices.join(', ')}`,
        defaultValue === undefined ? '' : String(defaultValue),
      ]),
  )
