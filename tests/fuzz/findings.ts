/** Violations of a run: the first case of each kind, and how often it was seen. */
export type Findings = {
  add(text: string, at: FoundAt): void
  list(): readonly Finding[]
}

type FoundAt = { readonly part: string; readonly number?: number; readonly repro?: string }
export type Finding = FoundAt & { readonly text: string; count: number }

const MAX_KINDS = 200

export function createFindings(): Findings {
  const byKind = new Map<string, Finding>()
  return {
    add: (text, at) => {
      const kind = kindOf(text)
      const known = byKind.get(kind)
      if (known !== undefined) known.count += 1
      else if (byKind.size < MAX_KINDS) byKind.set(kind, { ...at, text, count: 1 })
    },
    list: () => [...byKind.values()],
  }
}

/** Two texts that differ in numbers, ids or the end only are one kind. */
function kindOf(text: string): string {
  return text
    .replaceAll(/\(request id: [^)]*\)/g, '')
    .replaceAll(/\d+/g, '#')
    .slice(0, 110)
}
