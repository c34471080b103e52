import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline as pipeStreams } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { MANIFEST_FILE, parseManifest, type BackupManifest } from '@tollgate/config/backup-manifest'
import { loadDatabase } from '@tollgate/db/backup/load'
import { tableFile } from './write-backup.ts'

/** The manifest of a backup, after every file was compared with its checksum. */
export async function checkBackup(dir: string): Promise<BackupManifest> {
  const text = await readFile(join(dir, MANIFEST_FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${dir} is not a complete backup: ${MANIFEST_FILE} cannot be read`, { cause: error })
  })
  const manifest = parseManifest(text)
  for (const { name, sha256 } of manifest.tables) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(tableFile(dir, name)), hash)
    if (hash.digest('hex') !== sha256) throw new Error(`the rows of table ${name} in ${dir} are damaged; use another backup`)
  }
  return manifest
}

/** Loads a checked backup into the database, which must be unused. */
export async function loadBackup(url: string, dir: string, manifest: BackupManifest): Promise<void> {
  await loadDatabase({
    url,
    outline: manifest,
    // A failure to read destroys the unpacking stream, which the load sees.
    readRows: ({ name }) => pipeStreams(createReadStream(tableFile(dir, name)), createGunzip(), () => undefined),
  })
}
