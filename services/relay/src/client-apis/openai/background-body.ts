import { MAX_RESPONSE_FACTS } from '@tollgate/contracts/deferred/deferred'
import { topLevelMembers, type Member } from '@tollgate/providers/json-splice'
import type { DeferredBody } from '../../pipeline/route-spec.ts'

const FLAG = Buffer.from('"background"')
/** The request itself runs as a whole; its events follow from the answer. */
const FLAGS = new Set(['background', 'stream', 'stream_options'])
/** Text allowed after the last member. */
const END = /^\s*\}\s*$/
const MAX_END = 1024

/**
 * The parts of a body that asks for a background response, found without parsing it, since a body may be long; undefined: it does not ask
 * for one, or is no JSON object, which the request says itself.
 */
export function readBackground(raw: Buffer): DeferredBody | undefined {
  if (!raw.includes(FLAG)) return undefined
  const { open, members } = topLevelMembers(raw)
  const names = new Set(members.map(({ name }) => name))
  const rest = raw.subarray(members.at(-1)?.end ?? 0)
  if (names.size < members.length || rest.length > MAX_END || !END.test(rest.toString('latin1'))) return undefined
  const textOf = (wanted: string): string | undefined => {
    const member = members.find(({ name }) => name === wanted)
    // The words that are compared are short.
    return member === undefined ? undefined : raw.toString('latin1', member.start, Math.min(member.end, member.start + 8))
  }
  if (textOf('background') !== 'true') return undefined
  const read = { is_stream: textOf('stream') === 'true', is_unstored: textOf('store') === 'false', facts: factsOf(raw, members) }
  // Last: from here on the flags are gone from the body itself.
  return { ...read, bytes: raw.buffer instanceof SharedArrayBuffer ? blank(raw, open, members) : without(raw, members) }
}

const COMMA = Buffer.from(',')

const SPACE = 0x20
const isSpace = (byte: number | undefined): boolean => byte === SPACE || (byte !== undefined && byte >= 0x09 && byte <= 0x0d)

/** The same memory with spaces in place of the flags: a second copy of every long body keeps the collector busy. */
function blank(raw: Buffer, open: number, members: readonly Member[]): Buffer {
  let hasKept = false
  for (const [at, { name, end }] of members.entries()) {
    if (!FLAGS.has(name)) {
      hasKept = true
      continue
    }
    // With the comma before it, or, at the beginning of the object, with the one after it.
    raw.fill(SPACE, at === 0 ? open + 1 : members[at - 1]?.end, end)
    let next = end
    while (!hasKept && isSpace(raw[next])) next += 1
    if (!hasKept && raw[next] === COMMA[0]) raw[next] = SPACE
  }
  return raw
}

/** The object without the flags, in memory that a body worker reads without a copy. */
function without(raw: Buffer, members: readonly Member[]): Buffer {
  const kept = members.filter(({ name }) => !FLAGS.has(name))
  const parts = kept.flatMap(({ name, start, end }, at) => [
    ...(at === 0 ? [] : [COMMA]),
    Buffer.from(`${JSON.stringify(name)}:`),
    raw.subarray(start, end),
  ])
  const all = [Buffer.from('{'), ...parts, Buffer.from('}')]
  const bytes = Buffer.from(new SharedArrayBuffer(all.reduce((sum, { length }) => sum + length, 0)))
  let at = 0
  for (const part of all) at += part.copy(bytes, at)
  return bytes
}

/** The longest ones last, which are left out where there is no room. */
const SHOWN = [
  'model',
  'max_output_tokens',
  'parallel_tool_calls',
  'previous_response_id',
  'temperature',
  'top_p',
  'tool_choice',
  'metadata',
  'instructions',
  'tools',
]

function factsOf(raw: Buffer, members: readonly Member[]): string {
  const facts: string[] = []
  let size = 2
  for (const shown of SHOWN) {
    const member = members.find(({ name }) => name === shown)
    if (member === undefined) continue
    size += shown.length + 4 + member.end - member.start
    if (size > MAX_RESPONSE_FACTS) break
    facts.push(`"${shown}":${raw.toString('utf8', member.start, member.end)}`)
  }
  return `{${facts.join(',')}}`
}
