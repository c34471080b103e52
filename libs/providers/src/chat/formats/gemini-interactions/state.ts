import { elementsAt, splice, textSpanAt, topLevelMembers, type Edit, type Member } from '../../../json-splice.ts'
import type { Expanded, Expansion } from '../openai-responses/state.ts'
import { isContent } from './contents.ts'

/** Puts the kept steps before the new ones, in place of the reference to them. */
export function expandInteraction(raw: Buffer, { history }: Expansion): Expanded {
  const { open, members } = topLevelMembers(raw)
  const member = members.findLast(({ name }) => name === 'input')
  const input = member === undefined ? '' : stepsText(raw, member)
  const earlier = history ?? ''
  const text = `[${earlier}${earlier === '' || input === '' ? '' : ','}${input}]`
  const edits: Edit[] =
    member === undefined ? [{ start: open + 1, end: open + 1, text: `"input":${text},` }] : [{ start: member.start, end: member.end, text }]
  if (history !== undefined)
    for (const { name, start, end } of members) if (name === 'previous_interaction_id') edits.push({ start, end, text: 'null' })
  return { bytes: splice(raw, edits), input }
}

/** The steps of a body's input as JSON without brackets; undefined if it has none. */
export function inputStepsOf(raw: Buffer): string | undefined {
  const member = topLevelMembers(raw).members.findLast(({ name }) => name === 'input')
  return member === undefined ? undefined : stepsText(raw, member)
}

const [QUOTE, OPEN_ARRAY, OPEN_OBJECT] = [0x22, 0x5b, 0x7b]

function stepsText(raw: Buffer, { start, end }: Member): string {
  const text = raw.toString('utf8', start, end)
  if (raw[start] === QUOTE) return step(`[{"type":"text","text":${text}}]`)
  if (raw[start] === OPEN_OBJECT) return step(`[${text}]`)
  if (raw[start] !== OPEN_ARRAY) return ''
  const [first] = elementsAt(raw, start)
  const span = first === undefined ? undefined : textSpanAt(raw, first.start, ['type'])
  const type = span === undefined ? '' : raw.toString('utf8', span.start + 1, span.end - 1)
  return isContent({ type }) ? step(text) : text.slice(1, -1).trim()
}

const step = (content: string): string => `{"type":"user_input","content":${content}}`
