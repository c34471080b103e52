import { holds, WORD, type Edge, type Program } from './program.ts'

/** Steps that are left for matching; shared by all replacements of one call. */
export type StepBudget = { left: number }

/** Start and end of the match and of each group, in UTF-16 units; −1: the group took no part. */
type Slots = readonly number[]

/**
 * Replaces all matches as `String.prototype.replaceAll` does. Runs all alternatives side by side, so the time grows with the length of the
 * text times that of the pattern for each match. Undefined: the budget is used up.
 * @param to `$1` to `$99`, `${1}` and `$&` insert a group and the match, `$$` a dollar sign.
 */
export function replacePattern(text: string, program: Program, to: string, budget: StepBudget): string | undefined {
  const parts: string[] = []
  let copied = 0
  let from = 0
  while (from <= text.length) {
    const slots = findMatch(text, program, from, budget)
    if (slots === 'over-budget') return undefined
    if (slots === undefined) break
    const [start = 0, end = 0] = slots
    parts.push(text.slice(copied, start), expand(to, text, slots))
    copied = end
    from = end > start ? end : end + widthAt(text, end)
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(copied)
}

type Thread = { readonly at: number; readonly slots: Slots }

/** The leftmost match from an offset; among those that start there, the one that the pattern prefers. */
function findMatch(
  text: string,
  { steps, groups, ignoresCase }: Program,
  from: number,
  budget: StepBudget,
): Slots | undefined | 'over-budget' {
  const none: Slots = Array.from({ length: 2 * groups }, () => -1)
  const seen = new Int32Array(steps.length).fill(-1)
  let threads: Thread[] = []
  let found: Slots | undefined

  /** Follows a thread to the next steps that read a character or accept. */
  const follow = (list: Thread[], first: Thread, offset: number): void => {
    const waiting: Thread[] = [first]
    for (let thread = waiting.pop(); thread !== undefined; thread = waiting.pop()) {
      const { at, slots } = thread
      if (seen[at] === offset) continue
      seen[at] = offset
      budget.left -= 1
      const step = steps[at]
      if (step === undefined) continue
      if (step.kind === 'jump') waiting.push({ at: step.target, slots })
      else if (step.kind === 'fork') waiting.push({ at: step.second, slots }, { at: step.first, slots })
      else if (step.kind === 'mark') waiting.push({ at: at + 1, slots: slots.with(step.slot, offset) })
      else if (step.kind !== 'edge') list.push(thread)
      else if (isAt(step.edge, text, offset)) waiting.push({ at: at + 1, slots })
    }
  }

  for (let offset = from; offset <= text.length;) {
    if (budget.left <= 0) return 'over-budget'
    if (found === undefined) follow(threads, { at: 0, slots: none }, offset)
    if (threads.length === 0) {
      if (found !== undefined) break
      offset += widthAt(text, offset)
      continue
    }
    const width = widthAt(text, offset)
    const point = text.codePointAt(offset)
    const next: Thread[] = []
    for (const { at, slots } of threads) {
      budget.left -= 1
      const step = steps[at]
      if (step?.kind === 'accept') {
        found = slots
        // The threads after it have a lower rank.
        break
      }
      if (step?.kind === 'read' && point !== undefined && holds(step.set, point, ignoresCase))
        follow(next, { at: at + 1, slots }, offset + width)
    }
    threads = next
    offset += width
  }
  return found
}

/** Units of the character at an offset; 1 at the end of the text. */
const widthAt = (text: string, offset: number): number => ((text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1)

const isWord = (text: string, offset: number): boolean => {
  const point = text.codePointAt(offset)
  return point !== undefined && holds({ ranges: WORD, excludes: false }, point, false)
}
const isLineEnd = (unit: string | undefined): boolean => unit !== undefined && /^[\n\r\u2028\u2029]$/.test(unit)

function isAt(edge: Edge, text: string, offset: number): boolean {
  switch (edge) {
    case 'start':
      return offset === 0
    case 'end':
      return offset === text.length
    case 'line-start':
      return offset === 0 || isLineEnd(text[offset - 1])
    case 'line-end':
      return offset === text.length || isLineEnd(text[offset])
    case 'word':
      return isWord(text, offset - 1) !== isWord(text, offset)
    case 'no-word':
      return isWord(text, offset - 1) === isWord(text, offset)
  }
}

function expand(to: string, text: string, slots: Slots): string {
  if (!to.includes('$')) return to
  const groupText = (group: number): string | undefined => {
    const [start, end] = slots.slice(2 * group, 2 * group + 2)
    if (start === undefined || end === undefined) return undefined
    return start < 0 || end < 0 ? '' : text.slice(start, end)
  }
  return to.replaceAll(/\$(?:([$&])|(\d{1,2})|\{(\d{1,2})\})/g, (sign, special?: string, bare?: string, braced?: string) => {
    if (special === '$') return '$'
    if (special === '&') return groupText(0) ?? sign
    return groupText(Number(bare ?? braced)) ?? sign
  })
}
