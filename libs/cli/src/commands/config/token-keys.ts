import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { CliError, EXIT } from '../../failure.ts'
import type { Plan } from './render-plan.ts'

/** Files for the keys of the tokens that a plan makes; they are there before the keys are, which are shown once. */
export type KeyFiles = {
  /** Writes the keys, and returns those that have no file. */
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
  const discard = (): void => {
    for (const { path } of wanted) rmSync(path, { force: true })
  }
  try {
    for (const { path } of wanted) {
      mkdirSync(dirname(path), { recursive: true })
      closeSync(openSync(path, 'wx', 0o600))
    }
  } catch (error) {
    discard()
    throw new CliError(`cannot write the key of a token: ${error instanceof Error ? error.message : String(error)}`, EXIT.usage)
  }
  const pathOf = new Map(wanted.map(({ name, path }) => [name, path]))
  return {
    discard,
    write: (keys) =>
      keys.filter(({ name, key }) => {
        const path = pathOf.get(name)
        if (path === undefined) return true
        writeFileSync(path, `${key}\n`)
        return false
      }),
  }
}
