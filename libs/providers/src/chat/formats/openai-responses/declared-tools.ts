import { isObject, listAt, textAt, type JsonObject } from '../../../json.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { clientToolOf } from './client-tools.ts'

/**
 * A tool that a request declares, and the name under which formats without namespaces know it: its own where no other tool has it, else
 * with its namespace before it.
 */
export type DeclaredTool = { readonly tool: JsonObject; readonly name: string; readonly namespace?: string }

/**
 * The tools of `tools` and of `additional_tools` items, which the conversation adds on its way; those of a namespace one by one.
 * https://developers.openai.com/api/docs/guides/tools · Codex 0.171 sends all of its tools in such an item to models since GPT-6.
 */
export function declaredTools(body: JsonObject): DeclaredTool[] {
  const found = withoutRepeats(
    [...listAt(body, 'tools'), ...additionalItems(body).flatMap((item) => listAt(item, 'tools'))].filter(isObject).flatMap(flatten),
  )
  const counts = new Map<string, number>()
  for (const { name } of found) counts.set(name, (counts.get(name) ?? 0) + 1)
  return found.map((one) => ({ ...one, name: one.namespace === undefined || counts.get(one.name) === 1 ? one.name : qualify(one) }))
}

/** The name of a call's or a choice's tool in formats without namespaces. */
export function flatNameOf(called: JsonObject, tools: readonly DeclaredTool[]): string {
  const name = textAt(called, 'name') ?? ''
  const namespace = textAt(called, 'namespace')
  if (namespace === undefined) return name
  return tools.find((one) => one.namespace === namespace && textAt(one.tool, 'name') === name)?.name ?? name
}

/** The tools that the input adds, as an answer needs them: types and names. */
export function namesOnly(body: JsonObject): JsonObject[] {
  const toNames = (tool: unknown): JsonObject => {
    const { type, name, execution, environment } = isObject(tool) ? tool : {}
    return {
      ...omitUndefined<JsonObject>({ type, name, execution, environment }),
      ...(type === 'namespace' ? { tools: listAt(tool, 'tools').map(toNames) } : {}),
    }
  }
  return additionalItems(body).map((item) => ({ type: ADDITIONAL, tools: listAt(item, 'tools').map(toNames) }))
}

export const ADDITIONAL = 'additional_tools'

/** Items that add tools; a search by the client returns the tools that it found. */
const ADDING: ReadonlySet<unknown> = new Set([ADDITIONAL, 'tool_search_output'])

const additionalItems = (body: JsonObject) => listAt(body, 'input').filter((item) => isObject(item) && ADDING.has(item['type']))

/** A tool that was declared and found by a search too is one tool. */
function withoutRepeats(tools: readonly DeclaredTool[]): readonly DeclaredTool[] {
  const seen = new Set<string>()
  return tools.filter(({ name, namespace }) => {
    const key = `${namespace ?? ''}\n${name}`
    const isNew = name === '' || !seen.has(key)
    seen.add(key)
    return isNew
  })
}

function flatten(tool: JsonObject): DeclaredTool[] {
  const name = clientToolOf(tool)?.name ?? textAt(tool, 'name') ?? ''
  if (textAt(tool, 'type') !== 'namespace') return [{ tool, name }]
  return listAt(tool, 'tools')
    .filter(isObject)
    .map((inner) => ({ tool: inner, name: textAt(inner, 'name') ?? '', namespace: name }))
}

const qualify = ({ name, namespace = '' }: DeclaredTool) => `${namespace}__${name}`
