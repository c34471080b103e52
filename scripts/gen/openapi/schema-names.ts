import { globSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const contracts = join(import.meta.dirname, '../../../libs/contracts/src')
/** Readers of single parameters; they stay inside the parameters that use them. */
const PARTS = 'values/common-schemas.ts'

/** The exported schemas of libs/contracts under their names. A name that two schemas have is left out. */
export async function contractSchemas(): Promise<ReadonlyMap<z.ZodType, string>> {
  const names = new Map<z.ZodType, string>()
  for (const file of globSync('**/*.ts', { cwd: contracts }).toSorted()) {
    if (file.endsWith('.test.ts') || file === PARTS) continue
    const exported = (await import(join(contracts, file))) as Record<string, unknown> // every module is an object of its exports
    for (const [name, value] of Object.entries(exported)) {
      if (value instanceof z.ZodType && /^[A-Z]/.test(name) && !names.has(value)) names.set(value, name)
    }
  }
  const counts = Map.groupBy(names, ([, name]) => name)
  return new Map([...names].filter(([, name]) => counts.get(name)?.length === 1))
}
