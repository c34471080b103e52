import { createWriteStream } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { MANIFEST_FILE, type BackupManifest } from '@tollgate/config/backup-manifest'
import { VERSION } from '@tollgate/config/version'
import { dumpDatabase } from '@tollgate/db/backup/dump'
import { Checksum } from '../streams/checksum.ts'

type WriteBackup = {
  readonly url: string
  /** New folder. */
  readonly dir: string
  readonly facts: Pick<BackupManifest, 'created_at' | 'shards' | 'unposted'>
  /** Called after each table. */
  readonly onTable: (table: BackupManifest['tables'][number]) => void
}

const NEWLINE = 10

/** Path of a table's rows inside a backup. */
export function tableFile(dir: string, name: string): string {
  return join(dir, 'tables', `${name}.copy.gz`)
}

/** Writes all rows of the database into a folder that only its owner may read, and the manifest last. */
export async function writeBackup({ url, dir, facts, onTable }: WriteBackup): Promise<BackupManifest> {
  await mkdir(join(dir, 'tables'), { recursive: true, mode: 0o700 })
  const manifest = await dumpDatabase(url, async (dump): Promise<BackupManifest> => {
    const { migration, partitions, sequences } = dump
    const tables: BackupManifest['tables'] = []
    for (const table of dump.tables) {
      const written = {
        ...table,
        columns: [...table.columns],
        ...(await writeRows(tableFile(dir, table.name), await dump.readRows(table))),
      }
      tables.push(written)
      onTable(written)
    }
    return { format: 1, version: VERSION, ...facts, migration, tables, partitions: [...partitions], sequences: [...sequences] }
  })
  const file = join(dir, MANIFEST_FILE)
  await writeFile(`${file}.new`, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
  return manifest
}

async function writeRows(file: string, rows: Readable): Promise<{ rows: number; bytes: number; sha256: string }> {
  let count = 0
  const counting = new Transform({
    transform(chunk: Buffer, _, done) {
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) count += 1
      done(null, chunk)
    },
  })
  const written = new Checksum()
  await pipeline(rows, counting, createGzip(), written, createWriteStream(file, { mode: 0o600, flush: true }))
  return { rows: count, bytes: written.bytes, sha256: written.sha256() }
}
