import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node, type Pair } from 'yaml'
import { readVariable } from '@tollgate/config/cli-env'
import { CliError, EXIT } from '../../failure.ts'

/** The server's own limits, so that a wrong directory is refused before it is read. */
const MAX_FILES = 500
const MAX_BYTES = 4_000_000
const MAX_ALIASES = 100
const MAX_SHOWN = 20

type File = { readonly path: string; readonly document: Document; readonly lines: LineCounter; readonly content: string }
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
  const files = listFiles(folder).map((path) => readYaml(folder, path))
  const byPath = new Map(files.map((file) => [file.path, file]))
  return {
    files: files.map(({ path, content }) => ({ path, content })),
    secrets: hasSecrets
      ? Object.fromEntries(files.flatMap(({ document }) => refsOf(document)).flatMap((ref) => secretOf(ref, folder)))
      : {},
    locate: (file, path) => {
      const found = byPath.get(file)
      return found === undefined ? file || folder : `${join(folder, file)}:${lineOf(found, path)}`
    },
  }
}

function listFiles(folder: string): string[] {
  const found = attempt(folder, () => readdirSync(folder, { recursive: true, withFileTypes: true }))
  const paths = found
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !path.split('/').some((part) => part.startsWith('.')))
    .toSorted()
  if (paths.length === 0) throw new CliError(`there is no .yaml file in ${folder}`, EXIT.usage)
  const bytes = paths.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0)
  if (paths.length > MAX_FILES || bytes > MAX_BYTES)
    throw new CliError(`${folder} is too large: at most ${MAX_FILES} files and ${MAX_BYTES / 1_000_000} MB`, EXIT.usage)
  return paths
}

function readYaml(folder: string, path: string): File {
  const lines = new LineCounter()
  const shown = join(folder, path)
  const document = parseDocument(
    attempt(shown, () => readFileSync(shown, 'utf8')),
    { lineCounter: lines, prettyErrors: false },
  )
  const faults = document.errors.map(({ pos, message }) => `${shown}:${lines.linePos(pos[0]).line}: ${message}`)
  if (faults.length > 0) throw new CliError(faults.slice(0, MAX_SHOWN).join('; '), EXIT.usage)
  return { path, document, lines, content: attempt(shown, () => JSON.stringify(document.toJS({ maxAliasCount: MAX_ALIASES }) ?? null)) }
}

function attempt<T>(what: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw new CliError(`cannot read ${what}: ${error instanceof Error ? error.message : String(error)}`, EXIT.usage)
  }
}

type Ref = { readonly kind: 'env' | 'file'; readonly name: string }

/** References to secrets: values of options, keys of channels, and anything in their settings. */
function refsOf(document: Document): Ref[] {
  const at = (...path: Path): unknown => document.getIn(path, true)
  const channels = at('channels')
  const options = at('options')
  return [
    ...(isMap(options) ? options.items.flatMap(({ value }) => refOf(value)) : []),
    ...(isSeq(channels)
      ? channels.items.flatMap((channel) =>
          isMap(channel) ? ['key', 'setting', 'param_override'].flatMap((field) => refsIn(channel.get(field, true))) : [],
        )
      : []),
  ]
}

function refsIn(node: unknown): Ref[] {
  if (isSeq(node)) return node.items.flatMap(refsIn)
  if (!isMap(node)) return []
  const own = refOf(node)
  return own.length > 0 ? own : node.items.flatMap(({ value }: Pair) => refsIn(value))
}

function refOf(node: unknown): Ref[] {
  const [only, ...more] = isMap(node) ? node.items : []
  if (only === undefined || more.length > 0 || !isScalar(only.key) || !isScalar(only.value)) return []
  const [kind, name] = [only.key.value, only.value.value]
  return (kind === 'env' || kind === 'file') && typeof name === 'string' ? [{ kind, name }] : []
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
