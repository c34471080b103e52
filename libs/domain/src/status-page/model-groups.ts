import { matchesWildcard } from '../wildcard.ts'

/** Names of model groups with patterns of their models; `*` stands for any characters. */
export type StatusGroups = Readonly<Record<string, readonly string[]>>

type Grouping = {
  /** Set by the operator; empty: by family or maker. */
  readonly groups: StatusGroups
  readonly byMaker: boolean
  /** The maker of a model of the public catalogue. */
  readonly makerOf: (model: string) => string | undefined
}

/** Models that the public catalogue does not know: their names are the operator's own. */
export const OTHER_MODELS = 'other'

/** The public group of a model; undefined: the operator's groups leave it out. */
export type GroupOf = (model: string) => string | undefined

export function createGroupOf({ groups, byMaker, makerOf }: Grouping): GroupOf {
  const named = Object.entries(groups).map(([name, patterns]) => ({ name, patterns }))
  if (named.length > 0)
    return (model) =>
      named.find(({ patterns }) => patterns.some((pattern) => matchesWildcard(pattern.toLowerCase(), model.toLowerCase())))?.name
  return (model) => {
    const maker = makerOf(model)
    if (maker === undefined) return OTHER_MODELS
    return byMaker ? maker : familyOf(model)
  }
}

/** The name up to its first hyphen, without the version: `qwen3.5-plus` is of `qwen`. A single letter keeps its number (`o3`). */
function familyOf(model: string): string {
  const [head = model] = model.split('-', 1)
  const name = head.replace(/[\d.]+$/, '')
  return name.length > 1 ? name : head
}
