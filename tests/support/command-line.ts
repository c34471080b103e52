import { parseArgs, type ParseArgsConfig, type ParseArgsOptionDescriptor } from 'node:util'

type Option = ParseArgsOptionDescriptor & {
  /** Effect of the option, with the unit of its value. */
  readonly about: string
}

type CommandLine = ParseArgsConfig & {
  /** As it is typed: `npm run chaos --`. */
  readonly command: string
  readonly about: string
  readonly example: string
  readonly options: Readonly<Record<string, Option>>
}

/** Reads the arguments of a program. It ends the program with its usage for `--help`, and with exit code 2 for arguments that it does not know. */
export function readCommandLine<const Given extends CommandLine>(given: Given): ReturnType<typeof parseArgs<Given>> {
  const args = given.args ?? process.argv.slice(2)
  if (args.includes('--help')) {
    process.stdout.write(usageOf(given))
    process.exit(0)
  }
  try {
    const read = parseArgs(given)
    for (const [name, value] of Object.entries(read.values)) refuseText(name, value, given.options[name])
    return read
  } catch (error) {
    if (!(error instanceof Error)) throw error
    // Node appends advice on `--` after the reason.
    return refuse(given, error.message.split('. ')[0] ?? '')
  }
}

/** Ends the program: an argument has no meaning. */
export function refuse(given: CommandLine, reason: string): never {
  process.stderr.write(`${reason}\n\n${usageOf(given)}`)
  process.exit(2)
}

/** An option whose default is a number takes a number. */
function refuseText(name: string, value: unknown, option: Option | undefined): void {
  const isNumber = (text: unknown): boolean => typeof text === 'string' && text !== '' && Number.isFinite(Number(text))
  if (isNumber(option?.default) && !isNumber(value)) throw new Error(`--${name} takes a number, not '${String(value)}'`)
}

function usageOf({ command, about, example, options }: CommandLine): string {
  const rows = [
    ...Object.entries(options).map(([name, option]) => [nameOf(name, option), option.about + defaultOf(option)] as const),
    ['--help', 'this text'] as const,
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  const lines = rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}\n`)
  return `Usage: ${command} [options]\n\n${about}\n\n${lines.join('')}\nExample: ${example}\n`
}

const nameOf = (name: string, { type }: Option): string => (type === 'boolean' ? `--${name}` : `--${name} VALUE`)

const defaultOf = ({ default: value }: Option): string => (typeof value === 'string' && value !== '' ? ` (default: ${value})` : '')
