import { access, readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { z } from 'zod'

const Including = z.looseObject({ include: z.array(z.string()).nullish() })
type Sections = z.infer<typeof Including>

/** More files than any configuration has. */
const MAX_FILES = 100

/** A file that a configuration includes cannot be read, or has no sections. */
export class UnreadableInclude extends Error {
  override readonly name = 'UnreadableInclude'
}

/** The files that a configuration includes; those of its first level. */
export const includesOf = (sections: unknown): readonly string[] => Including.safeParse(sections).data?.include ?? []

/**
 * The configuration with the files that it includes, and those that they include, each once. Lists are joined and other values replaced. A
 * name is looked for beside the file that has it, then beside the first one, as LiteLLM 1.110.2 does:
 * https://docs.litellm.ai/docs/proxy/config_management
 */
export async function withIncludes(path: string, sections: unknown, parse: (path: string, text: string) => unknown): Promise<unknown> {
  const { data: own } = Including.safeParse(sections)
  if (own === undefined) return sections
  const { include, ...merged }: Sections = own
  const waiting = (include ?? []).map((name) => ({ name, from: path }))
  const seen = new Set([resolve(path)])
  for (const { name, from } of waiting) {
    const found = await placeOf(name, { from, first: path })
    if (seen.has(found)) continue
    seen.add(found)
    if (seen.size > MAX_FILES) throw new UnreadableInclude(`it includes more than ${MAX_FILES} files`)
    const { include: more, ...included } = await readIncluded(name, found, parse)
    for (const [section, value] of Object.entries(included)) merged[section] = joined(merged[section], value)
    // The loop reaches what is added.
    waiting.push(...(more ?? []).map((next) => ({ name: next, from: found })))
  }
  return merged
}

const joined = (before: unknown, value: unknown): unknown => (Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value)

async function placeOf(name: string, { from, first }: { readonly from: string; readonly first: string }): Promise<string> {
  const [near, far] = [resolve(dirname(from), name), resolve(dirname(first), name)]
  const exists = async (path: string): Promise<boolean> => await access(path).then(() => true, () => false) // prettier-ignore
  return near !== far && !(await exists(near)) && (await exists(far)) ? far : near
}

async function readIncluded(name: string, path: string, parse: (path: string, text: string) => unknown): Promise<Sections> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new UnreadableInclude(`the file that it includes as ${name} cannot be read`, { cause })
  })
  const { data } = Including.safeParse(parse(path, text))
  if (data === undefined) throw new UnreadableInclude(`the file that it includes as ${name} has no sections`)
  return data
}
