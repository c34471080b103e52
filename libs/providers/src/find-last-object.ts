import { parseJson } from './json.ts'

/** The last complete object with this name in a fragment of JSON text without braces inside strings; undefined if there is none. */
export function findLastObject(name: string, text: string): unknown {
  const start = text.lastIndexOf(`"${name}"`)
  const open = start === -1 ? -1 : text.indexOf('{', start)
  if (open === -1) return undefined
  let depth = 0
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
    if (depth === 0) return parseJson(text.slice(open, at + 1))
  }
  return undefined
}
