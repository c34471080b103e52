import { closeSync, existsSync, fstatSync, lstatSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { CliError, EXIT } from '../../failure.ts'
import type { Plan } from './render-plan.ts'

/** Files for the keys of the tokens that a plan makes; they are there before the keys are, which are shown once. */
export type KeyFiles = {
  /** Writes the keys, and returns those that are in no file. */
  write(keys: NonNullable<Plan['keys']>): NonNullable<Plan['keys']>
  /** Removes what was opened: nothing was applied. */
  discard(): void
}

/** Opens the files; throws when one is there already, so that no key is lost. */
export function openKeyFiles({ changes }: Pick<Plan, 'changes'>, folder: string): KeyFiles {
  const wanted = changes.flatMap(({ name, key_file: file }) => (file === undefined ? [] : [{ name, path: resolve(folder, file) }]))
  const present = wanted.find(({ path }) => existsSync(path))
  if (present !== undefined)
    throw new CliError(`${present.path} is there already: the key of ${present.name} is not written over it`, EXIT.usage)
  const opened: OpenFile[] = []
  const discard = (): void => {
    for (const file of opened) {
      if (isStillThere(file)) rmSync(file.path)
      closeSync(file.fd)
    }
  }
  try {
    for (const { name, path } of wanted) {
      mkdirSync(dirname(path), { recursive: true })
      opened.push({ name, path, fd: openSync(path, 'wx', 0o600) })
    }
  } catch (error) {
    discard()
    throw new CliError(`cannot write the key of a token: ${reasonOf(error)}`, EXIT.usage)
  }
  return {
    discard,
    write: (keys) =>
      keys.filter(
        ({ name, key }) =>
          !writeKey(
            opened.find((file) => file.name === name),
            key,
          ),
      ),
  }
}

type OpenFile = { readonly name: string; readonly path: string; readonly fd: number }

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** False: the path is gone or leads to the file of another program. */
function isStillThere({ path, fd }: OpenFile): boolean {
  const [found, own] = [lstatSync(path, { throwIfNoEntry: false }), fstatSync(fd)]
  return found?.ino === own.ino && found.dev === own.dev
}

/** False: the key is in no file and must be shown. The token is made, so that nothing may be thrown here. */
function writeKey(file: OpenFile | undefined, key: string): boolean {
  if (file === undefined) return false
  try {
    writeFileSync(file.fd, `${key}\n`)
    return isStillThere(file)
  } catch (error) {
    process.stderr.write(`tollgate: cannot write ${file.path}: ${reasonOf(error)}\n`)
    return false
  } finally {
    closeSync(file.fd)
  }
}
