import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** One safety step taken out: a patch whose first lines say which step, which test must see it, and where that test is. */
export type Mutant = {
  readonly name: string
  readonly step: string
  /** Test file, from the root. */
  readonly file: string
  /** Full name: the describes' and the test's own, joined by spaces. */
  readonly test: string
  readonly path: string
}

const folder = join(import.meta.dirname, 'patches')

/** Every mutant, or those that are named; throws for a name that is none and for a patch without its three lines. */
export async function listMutants(names: readonly string[]): Promise<Mutant[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.patch')).toSorted()
  const all = await Promise.all(files.map(readMutant))
  const unknown = names.filter((name) => !all.some((mutant) => mutant.name === name))
  if (unknown.length > 0) throw new Error(`no patch is called ${unknown.join(', ')}; there are ${all.map(({ name }) => name).join(', ')}`)
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name))
}

async function readMutant(fileName: string): Promise<Mutant> {
  const path = join(folder, fileName)
  const text = await readFile(path, 'utf8')
  const [step, file, test] = ['step', 'file', 'test'].map((key) => new RegExp(`^${key}: (.+)$`, 'm').exec(text)?.[1])
  if (step === undefined || file === undefined || test === undefined) throw new Error(`${fileName} must begin with step:, file: and test:`)
  return { name: fileName.replace(/[.]patch$/, ''), step, file, test, path }
}
