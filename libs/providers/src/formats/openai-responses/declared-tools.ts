import { isObject, listAt, textAt, type JsonObject } from '../../json.ts'

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
  const found = [...listAt(body, 'tools'), ...additionalItems(body).flatMap((item) => listAt(item, 'tools'))]
    .filter(isObject)
    .flatMap(flatten)
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

/** What an answer needs of the tools that the input adds: their types and names. */
export function namesOnly(body: JsonObject): JsonObject[] {
  const toNames = (tool: unknown): JsonObject => {
    const { type, name } = isObject(tool) ? tool : {}
    return { type, name, ...(type === 'namespace' ? { tools: listAt(tool, 'tools').map(toNames) } : {}) }
  }
  return additionalItems(body).map((item) => ({ type: ADDITIONAL, tools: listAt(item, 'tools').map(toNames) }))
}

export const ADDITIONAL = 'additional_tools'

const additionalItems = (body: JsonObject) => listAt(body, 'input').filter((item) => textAt(item, 'type') === ADDITIONAL)

function flatten(tool: JsonObject): DeclaredTool[] {
  const name = textAt(tool, 'name') ?? ''
  if (textAt(tool, 'type') !== 'namespace') return [{ tool, name }]
  return listAt(tool, 'tools')
    .filter(isObject)
    .map((inner) => ({ tool: inner, name: textAt(inner, 'name') ?? '', namespace: name }))
}

const qualify = ({ name, namespace = '' }: DeclaredTool) => `${namespace}__${name}`
