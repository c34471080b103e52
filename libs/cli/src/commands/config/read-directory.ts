import { readdirSync, readFileSync, statSync, type Dirent } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { Document, LineCounter, Node } from 'yaml'
import { readVariable } from '@tollgate/config/cli-env'
import { readYaml } from '@tollgate/config/yaml'
import { CliError, EXIT } from '../../failure.ts'

/** The server's own limits, so that a wrong directory is refused before it is read. */
const MAX_FILES = 500
const MAX_BYTES = 4_000_000
const MAX_ALIASES = 100
const MAX_SHOWN = 20

type File = {
  readonly path: string
  readonly document: Document
  readonly lines: LineCounter
  readonly value: unknown
  readonly content: string
}
type Path = readonly (string | number)[]

export type Directory = {
  readonly files: readonly { readonly path: string; readonly content: string }[]
  /** The values of the secrets that the files refer to; one that is not there is absent. */
  readonly secrets: Readonly<Record<string, string>>
  /** `file:line` of a place in a file. */
  readonly locate: (file: string, path: Path) => string
}

/** Reads the YAML files of a directory and the secrets that they refer to. */
export function readDirectory(folder: string, { hasSecrets = true }: { readonly hasSecrets?: boolean } = {}): Directory {
  const files = listFiles(folder).map((path) => readFile(folder, path))
  const byPath = new Map(files.map((file) => [file.path, file]))
  return {
    files: files.map(({ path, content }) => ({ path, content })),
    secrets: hasSecrets ? Object.fromEntries(files.flatMap(({ value }) => refsOf(value)).flatMap((ref) => secretOf(ref, folder))) : {},
    locate: (file, path) => {
      const found = byPath.get(file)
      return found === undefined ? file || folder : `${join(folder, file)}:${lineOf(found, path)}`
    },
  }
}

function listFiles(folder: string): string[] {
  const found = attempt(folder, () => readdirSync(folder, { recursive: true, withFileTypes: true }))
  const paths = found
    .map((entry) => ({ entry, path: relative(folder, join(entry.parentPath, entry.name)) }))
    .filter(({ path }) => !path.split('/').some((part) => part.startsWith('.')))
    .filter(({ entry, path }) => isRead(entry, join(folder, path)))
    .map(({ path }) => path)
    .toSorted()
  if (paths.length === 0) throw new CliError(`there is no .yaml file in ${folder}`, EXIT.usage)
  const bytes = paths.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0)
  if (paths.length > MAX_FILES || bytes > MAX_BYTES)
    throw new CliError(`${folder} is too large: at most ${MAX_FILES} files and ${MAX_BYTES / 1_000_000} MB`, EXIT.usage)
  return paths
}

/** Links to files are followed; another one could hide files, whose records would count as removed. */
function isRead(entry: Dirent, path: string): boolean {
  const isNamed = /\.ya?ml$/.test(entry.name)
  if (!entry.isSymbolicLink()) return isNamed && entry.isFile()
  const target = attempt(path, () => statSync(path, { throwIfNoEntry: false }))
  if (target?.isDirectory() === true || (isNamed && target?.isFile() !== true))
    throw new CliError(`${path} is a link that does not lead to a file`, EXIT.usage)
  return isNamed
}

function readFile(folder: string, path: string): File {
  const shown = join(folder, path)
  const text = attempt(shown, () => readFileSync(shown, 'utf8'))
  const { document, lines, faults } = attempt(shown, () => readYaml(text))
  if (faults.length > 0)
    throw new CliError(
      faults
        .slice(0, MAX_SHOWN)
        .map(({ line, message }) => `${shown}:${line}: ${message}`)
        .join('; '),
      EXIT.usage,
    )
  const value: unknown = attempt(shown, () => document.toJS({ maxAliasCount: MAX_ALIASES }) ?? null)
  return { path, document, lines, value, content: attempt(shown, () => JSON.stringify(value)) }
}

function attempt<T>(what: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw new CliError(`cannot read ${what}: ${error instanceof Error ? error.message : String(error)}`, EXIT.usage)
  }
}

type Ref = { readonly kind: 'env' | 'file'; readonly name: string }

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

/** References to secrets: values of options, keys of channels, and anything in their settings. */
function refsOf(file: unknown): Ref[] {
  const { options, channels } = fieldsOf(file)
  return [
    ...Object.values(fieldsOf(options)).flatMap(refOf),
    ...(Array.isArray(channels) ? channels : [])
      .map(fieldsOf)
      .flatMap(({ key, setting, param_override }) => refsIn([key, setting, param_override])),
  ]
}

function refsIn(value: unknown): Ref[] {
  const own = refOf(value)
  if (own.length > 0) return own
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(refsIn) : []
}

function refOf(value: unknown): Ref[] {
  const [[kind, name] = [], ...more] = Object.entries(fieldsOf(value))
  return more.length === 0 && (kind === 'env' || kind === 'file') && typeof name === 'string' ? [{ kind, name }] : []
}

function secretOf({ kind, name }: Ref, folder: string): [string, string][] {
  const value = kind === 'env' ? readVariable(name) : attempt(name, () => readFileSync(resolve(folder, name), 'utf8')).trimEnd()
  return value === '' ? [] : [[`${kind}:${name}`, value]]
}

/** The line of the nearest place that the file has. */
function lineOf({ document, lines }: File, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true) as Partial<Node> | undefined // undefined: the file does not have it
    if (node?.range !== undefined && node.range !== null) return lines.linePos(node.range[0]).line
  }
  return 1
}
