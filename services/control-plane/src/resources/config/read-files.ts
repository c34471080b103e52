import type { ConfigKind, ConfigProblem, ConfigSource } from '@tollgate/contracts/resources/config'
import { MAX_CONFIG_CHARACTERS } from '@tollgate/contracts/resources/config'
import {
  ConfigFile,
  type ConfigBudget,
  type ConfigChannel,
  type ConfigGroup,
  type ConfigOrganisation,
  type ConfigPrice,
  type ConfigProject,
  type ConfigToken,
} from '@tollgate/contracts/config-files'
import { isDeeperThan } from '@tollgate/contracts/values/json-depth'
import { recordKey } from '@tollgate/domain/config-plan/plan'
import { budgetNameOf, projectNameOf, tokenNameOf } from './account-names.ts'
import type { Place } from './problem.ts'

type Values = {
  readonly option: unknown
  readonly group: ConfigGroup
  readonly price: ConfigPrice
  readonly channel: ConfigChannel
  readonly organisation: ConfigOrganisation
  readonly project: ConfigProject
  readonly token: ConfigToken
  readonly budget: ConfigBudget
}
type EntryOf<Kind extends ConfigKind> = { readonly kind: Kind; readonly name: string; readonly value: Values[Kind]; readonly at: Place }
/** A record as a file describes it. */
export type FileEntry = { [Kind in ConfigKind]: EntryOf<Kind> }[ConfigKind]

export type ReadFiles = { readonly entries: readonly FileEntry[]; readonly problems: readonly ConfigProblem[] }

const MAX_DEPTH = 40
const MAX_PROBLEMS = 100

/** Reads and checks each file by itself, and refuses a record that two places describe. */
export function readFiles({ files }: Pick<ConfigSource, 'files'>): ReadFiles {
  const size = files.reduce((sum, { content }) => sum + content.length, 0)
  if (size > MAX_CONFIG_CHARACTERS)
    return {
      entries: [],
      problems: [{ file: '', path: [], message: `the files have more than ${MAX_CONFIG_CHARACTERS} characters together` }],
    }
  const read = files.map(({ path, content }) => readOne(path, content))
  const entries = read.flatMap((one) => one.entries)
  const problems = [...read.flatMap((one) => one.problems), ...repetitions(entries)]
  return { entries, problems: problems.slice(0, MAX_PROBLEMS) }
}

function readOne(file: string, content: string): ReadFiles {
  const raw = parseJson(content)
  if (raw === undefined || isDeeperThan(raw, MAX_DEPTH))
    return { entries: [], problems: [{ file, path: [], message: 'it cannot be read, or is nested too deep' }] }
  // An empty file.
  if (raw === null) return { entries: [], problems: [] }
  const parsed = ConfigFile.safeParse(raw)
  if (parsed.success) return { entries: entriesOf(file, parsed.data), problems: [] }
  return { entries: [], problems: parsed.error.issues.map((issue) => ({ file, path: pathOf(issue.path), message: messageOf(issue) })) }
}

function entriesOf(file: string, { options = {}, groups = {}, prices = {}, channels = [], ...accounts }: ConfigFile): FileEntry[] {
  const at = (...path: ConfigProblem['path']): Place => ({ file, path })
  return [
    ...Object.entries(options)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => ({ kind: 'option', name, value, at: at('options', name) }) as const),
    ...Object.entries(groups).map(([name, value]) => ({ kind: 'group', name, value, at: at('groups', name) }) as const),
    ...Object.entries(prices).map(([name, value]) => ({ kind: 'price', name, value, at: at('prices', name) }) as const),
    ...channels.map((value, index) => ({ kind: 'channel', name: value.name, value, at: at('channels', index) }) as const),
    ...accountEntries(accounts, at),
  ]
}

type Accounts = Pick<ConfigFile, 'organisations' | 'projects' | 'tokens' | 'budgets'>

function accountEntries(
  { organisations = {}, projects = [], tokens = [], budgets = [] }: Accounts,
  at: (...path: ConfigProblem['path']) => Place,
): FileEntry[] {
  return [
    ...Object.entries(organisations).map(
      ([name, value]) => ({ kind: 'organisation', name, value, at: at('organisations', name) }) as const,
    ),
    ...projects.map((value, index) => ({ kind: 'project', name: projectNameOf(value), value, at: at('projects', index) }) as const),
    ...tokens.map((value, index) => ({ kind: 'token', name: tokenNameOf(value), value, at: at('tokens', index) }) as const),
    ...budgets.map((value, index) => ({ kind: 'budget', name: budgetNameOf(value), value, at: at('budgets', index) }) as const),
  ]
}

function repetitions(entries: readonly FileEntry[]): ConfigProblem[] {
  return [...Map.groupBy(entries, recordKey).values()].flatMap(([first, ...more]) =>
    more.map(({ kind, name, at }) => ({ ...at, message: `the ${kind} ${name} is in ${first?.at.file ?? ''} already` })),
  )
}

type Issue = { readonly code?: string; readonly keys?: readonly string[]; readonly message: string }

const messageOf = (issue: Issue): string =>
  issue.code === 'unrecognized_keys' && issue.keys !== undefined ? `unknown: ${issue.keys.join(', ')}` : issue.message

const pathOf = (path: readonly PropertyKey[]): (string | number)[] => path.map((key) => (typeof key === 'number' ? key : String(key)))

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Reported as a file that cannot be read.
    return undefined
  }
}
