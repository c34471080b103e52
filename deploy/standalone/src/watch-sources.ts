import { watch, type FSWatcher } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Editors write a file in several steps, and a checkout writes many files. */
const SETTLED_MS = 200

/**
 * Reports changed sources below the folders. It watches folders, because a file's own watcher, which Node's `--watch` uses, is lost when an
 * editor replaces the file.
 */
export async function watchSources(folders: readonly string[], onChange: (files: readonly string[]) => void): Promise<() => void> {
  const watchers = new Map<string, FSWatcher>()
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  const report = (): void => {
    const files = [...changed]
    changed.clear()
    onChange(files)
  }
  const note = (file: string): void => {
    changed.add(file)
    clearTimeout(timer)
    timer = setTimeout(report, SETTLED_MS)
  }
  const forget = (folder: string): void => {
    for (const [path, watcher] of watchers) {
      if (path !== folder && !path.startsWith(`${folder}/`)) continue
      watcher.close()
      watchers.delete(path)
    }
  }
  /** `noteFile` is called for each source that is there already. */
  const add = async (folder: string, noteFile?: (file: string) => void): Promise<void> => {
    watchers.set(
      folder,
      watch(folder, (_event, name) => {
        if (name === null) return
        if (isSource(name)) return note(join(folder, name))
        if (name.includes('.')) return
        forget(join(folder, name))
        // A file without a suffix, or a folder that is gone.
        add(join(folder, name), note).catch(() => forget(join(folder, name)))
      }),
    )
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory() && !entry.name.startsWith('__')) await add(path, noteFile)
      else if (isSource(entry.name)) noteFile?.(path)
    }
  }

  for (const folder of folders) await add(folder)
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers.values()) watcher.close()
  }
}

const isSource = (name: string): boolean => /[.](?:ts|lua|json)$/.test(name) && !name.endsWith('.test.ts')
