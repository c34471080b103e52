import { createHash, type Hash } from 'node:crypto'
import { mkdir, open, writeFile, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sealedBy } from '@tollgate/config/sealing'
import { EXPORT_KINDS, readForExport, type ExportKind, type ExportRow } from '@tollgate/db/queries/moving-in/export-rows'
import { csvLine } from '../csv.ts'
import type { Deps } from '../deps.ts'

export type ExportOptions = {
  /** A folder that does not exist yet. */
  readonly dir: string
  /** Keys of tokens, channels and codes, and secret options, in clear text. */
  readonly withKeys: boolean
  readonly withPasswords: boolean
  readonly onFile?: (file: ExportedFile) => void
}
export type ExportedFile = { readonly name: string; readonly rows: number; readonly bytes: number; readonly sha256: string }
export type ExportManifest = {
  readonly format: 'tollgate-export'
  readonly version: 1
  readonly tollgate: string
  readonly created_at: string
  readonly with_keys: boolean
  readonly with_passwords: boolean
  readonly files: readonly ExportedFile[]
  /** Exact sums over all rows, as texts. */
  readonly sums: Readonly<Record<string, string>>
}

type ExportDeps = Pick<Deps, 'db' | 'sealers' | 'now' | 'version'>

/** Writes all that is an operator's own as JSON lines and CSV, as of one moment, with a manifest of counts, sums and hashes. */
export async function writeExport(deps: ExportDeps, { dir, withKeys, withPasswords, onFile }: ExportOptions): Promise<ExportManifest> {
  await mkdir(dir, { mode: 0o700 })
  const files: ExportedFile[] = []
  const sums = new Map<string, bigint>()
  const end = async (pair: Pair): Promise<void> => {
    for (const file of await pair.close()) {
      files.push(file)
      onFile?.(file)
    }
  }
  await readForExport(deps.db, async (read) => {
    for (const kind of EXPORT_KINDS) {
      let pair = await openPair(dir, kind === 'logs' ? undefined : kind)
      for await (const rows of read(kind, { secrets: kind === 'users' ? withPasswords : withKeys }))
        for (const row of rows) {
          const name = kind === 'logs' ? `logs/${dayOf(row)}` : kind
          if (pair.name !== name) {
            await end(pair)
            pair = await openPair(dir, name)
          }
          addSums(sums, kind, row)
          await pair.write(opened(deps, kind, row, withKeys))
        }
      await end(pair)
    }
  })
  const manifest: ExportManifest = {
    format: 'tollgate-export',
    version: 1,
    tollgate: deps.version,
    created_at: new Date(deps.now()).toISOString(),
    with_keys: withKeys,
    with_passwords: withPasswords,
    files,
    sums: Object.fromEntries([...sums].map(([name, sum]) => [name, String(sum)])),
  }
  await writeFile(join(dir, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
  return manifest
}

const dayOf = ({ created_at }: ExportRow): string => new Date(Number(created_at) * 1000).toISOString().slice(0, 10)

const SUMS: Partial<Readonly<Record<ExportKind, readonly string[]>>> = {
  users: ['credited', 'spent'],
  tokens: ['granted', 'charged'],
  'wallet-entries': ['amount'],
  hours: ['quota', 'requests'],
  logs: ['quota'],
}

function addSums(sums: Map<string, bigint>, kind: ExportKind, row: ExportRow): void {
  for (const column of SUMS[kind] ?? []) sums.set(`${kind}.${column}`, (sums.get(`${kind}.${column}`) ?? 0n) + BigInt(String(row[column])))
}

/** The row with its keys in clear text, or without the values that are secret. */
function opened({ sealers }: ExportDeps, kind: ExportKind, row: ExportRow, withKeys: boolean): ExportRow {
  if (kind === 'options') {
    const { is_sealed, ...rest } = row
    if (is_sealed !== true) return rest
    return { ...rest, value: withKeys ? sealers.options.unseal(String(row['value']), sealedBy.option(String(row['key']))) : null }
  }
  const { key_sealed, ...rest } = row
  if (typeof key_sealed !== 'string') return rest
  if (key_sealed === '') return { ...rest, key: '' }
  const associated: Partial<Record<ExportKind, string>> = {
    channels: sealedBy.channelKey(Number(row['id'])),
    tokens: sealedBy.tokenKey(String(row['key_hash'])),
    codes: sealedBy.redemptionKey(String(row['key_hash'])),
  }
  const sealer = kind === 'channels' ? sealers.channels : sealers.options
  return { ...rest, key: sealer.unseal(key_sealed, associated[kind] ?? '') }
}

type Pair = { readonly name: string | undefined; write(row: ExportRow): Promise<void>; close(): Promise<ExportedFile[]> }
type Output = { readonly name: string; readonly file: FileHandle; readonly hash: Hash; pending: string; bytes: number }

const CHUNK = 256 * 1024

/** The same rows as JSON lines and as CSV. */
async function openPair(dir: string, name: string | undefined): Promise<Pair> {
  if (name === undefined) return { name, write: () => Promise.reject(new Error('no file is open')), close: async () => [] }
  await mkdir(dirname(join(dir, name)), { recursive: true, mode: 0o700 })
  const outputs = await Promise.all(
    ['jsonl', 'csv'].map(async (ending): Promise<Output> => {
      const file = `${name}.${ending}`
      return { name: file, file: await open(join(dir, file), 'wx', 0o600), hash: createHash('sha256'), pending: '', bytes: 0 }
    }),
  )
  let rows = 0
  const add = async (output: Output | undefined, text: string, isLast = false): Promise<void> => {
    if (output === undefined) return
    output.pending += text
    if (output.pending.length < CHUNK && !isLast) return
    const bytes = Buffer.from(output.pending)
    output.pending = ''
    output.hash.update(bytes)
    output.bytes += bytes.length
    await output.file.write(bytes)
  }
  return {
    name,
    write: async (row) => {
      if (rows === 0) await add(outputs[1], csvLine(Object.keys(row)))
      rows += 1
      await add(outputs[0], `${JSON.stringify(row)}\n`)
      await add(outputs[1], csvLine(Object.values(row).map(cellOf)))
    },
    close: async () => {
      for (const output of outputs) {
        await add(output, '', true)
        await output.file.close()
      }
      return outputs.map(({ name: file, bytes, hash }) => ({ name: file, rows, bytes, sha256: hash.digest('hex') }))
    },
  }
}

function cellOf(value: unknown): string | number | { readonly decimal: string } {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return { decimal: String(value) }
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' ? value : JSON.stringify(value)
}
