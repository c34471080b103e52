import { watch } from 'chokidar'

/** Editors write a file in several steps, and a checkout writes many files. */
const SETTLED_MS = 200

/**
 * Reports changed sources below the folders; resolves once it watches them. Node's `--watch` does not serve here: it loses a file that an
 * editor or a checkout replaces.
 */
export async function watchSources(folders: readonly string[], onChange: (files: readonly string[]) => void): Promise<() => Promise<void>> {
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const report = (): void => {
    const files = [...changed]
    changed.clear()
    onChange(files)
  }
  const watcher = watch([...folders], { ignoreInitial: true, ignored: (path, stats) => stats?.isFile() === true && !isSource(path) })
  watcher.on('all', (event, path) => {
    if (event !== 'add' && event !== 'change' && event !== 'unlink') return
    changed.add(path)
    clearTimeout(timer)
    timer = setTimeout(report, SETTLED_MS)
  })
  await new Promise<void>((resolve) => void watcher.once('ready', resolve))
  return async () => {
    clearTimeout(timer)
    await watcher.close()
  }
}

const isSource = (path: string): boolean => /[.](?:ts|lua|json)$/.test(path) && !path.endsWith('.test.ts')
