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

/** Every mutant; throws for a patch without its three lines. */
export async function listMutants(): Promise<Mutant[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.patch')).toSorted()
  return await Promise.all(files.map(readMutant))
}

async function readMutant(fileName: string): Promise<Mutant> {
  const path = join(folder, fileName)
  const text = await readFile(path, 'utf8')
  const [step, file, test] = ['step', 'file', 'test'].map((key) => new RegExp(`^${key}: (.+)$`, 'm').exec(text)?.[1])
  if (step === undefined || file === undefined || test === undefined) throw new Error(`${fileName} must begin with step:, file: and test:`)
  return { name: fileName.replace(/[.]patch$/, ''), step, file, test, path }
}
