import { Argument, type Command } from 'commander'
import { describe } from './command.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

export function addCompletion(program: Command): void {
  describe(program, {
    usage: 'completion',
    about: 'Prints a script that completes commands in a shell',
    example: 'source <(tollgate completion bash)',
  })
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action((shell: Shell) => {
      process.stdout.write(SCRIPTS[shell](wordsOf(program)))
    })
}

/** Commands by the words before them. */
type Choices = ReadonlyMap<string, readonly string[]>

function wordsOf(program: Command): Choices {
  const groups = program.commands.filter(({ commands }) => commands.length > 0)
  return new Map([
    ['', program.commands.map((command) => command.name())],
    ...groups.map((group) => [group.name(), group.commands.map((command) => command.name())] as const),
  ])
}

const cases = (words: Choices, line: (before: string, after: string) => string): string =>
  [...words]
    .filter(([before]) => before !== '')
    .map(([before, after]) => line(before, after.join(' ')))
    .join('\n')

const SCRIPTS: Readonly<Record<Shell, (words: Choices) => string>> = {
  bash: (words) => `_tollgate() {
  local words=""
  if [ "$COMP_CWORD" -eq 1 ]; then words="${words.get('')?.join(' ')}"
  elif [ "$COMP_CWORD" -eq 2 ]; then
    case "\${COMP_WORDS[1]}" in
${cases(words, (before, after) => `      ${before}) words="${after}" ;;`)}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _tollgate tollgate
`,
  zsh: (words) => `#compdef tollgate
_tollgate() {
  if (( CURRENT == 2 )); then compadd ${words.get('')?.join(' ')}
  elif (( CURRENT == 3 )); then
    case "\${words[2]}" in
${cases(words, (before, after) => `      ${before}) compadd ${after} ;;`)}
    esac
  else _files
  fi
}
compdef _tollgate tollgate
`,
  fish: (words) => `complete -c tollgate -f -n __fish_use_subcommand -a "${words.get('')?.join(' ')}"
${cases(words, (before, after) => `complete -c tollgate -f -n "__fish_seen_subcommand_from ${before}" -a "${after}"`)}
`,
}
