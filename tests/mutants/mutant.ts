import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A patch that removes one safeguard; its first lines name the safeguard and the test that must fail. */
export type Mutant = {
  readonly name: string
  readonly step: string
  /** Test file, relative to the root. */
  readonly file: string
  /** Full name: names of the describe blocks and of the test, joined by spaces. */
  readonly test: string
  readonly path: string
}

const folder = join(import.meta.dirname, 'patches')

/** Every mutant, or the named ones; throws for an unknown name and for a patch without its three lines. */
export async function listMutants(names: readonly string[]): Promise<Mutant[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.patch')).toSorted()
  const all = await Promise.all(files.map(readMutant))
  const unknown = names.filter((name) => !all.some((mutant) => mutant.name === name))
  if (unknown.length > 0) throw new Error(`there is no patch named ${unknown.join(', ')}; known: ${all.map(({ name }) => name).join(', ')}`)
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name))
}

async function readMutant(fileName: string): Promise<Mutant> {
  const path = join(folder, fileName)
  const text = await readFile(path, 'utf8')
  const [step, file, test] = ['step', 'file', 'test'].map((key) => new RegExp(`^${key}: (.+)$`, 'm').exec(text)?.[1])
  if (step === undefined || file === undefined || test === undefined) throw new Error(`${fileName} must begin with step:, file: and test:`)
  return { name: fileName.replace(/[.]patch$/, ''), step, file, test, path }
}
