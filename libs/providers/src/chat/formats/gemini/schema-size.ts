import { isObject, type JsonObject } from '../../../json.ts'

const DEPTH = 24
/** Nodes that references may add: a few, and a multiple of the schema's own. A client's schema of 400 bytes must not become gigabytes. */
const EXTRA = 500
const GROWTH = 16

/** The deepest level to which a schema can be written out without more nodes than allowed. */
export function depthFor(schema: JsonObject): number {
  const own = nodesIn(schema)
  if (!own.hasReference) return DEPTH
  const most = EXTRA + GROWTH * own.nodes
  const sizes = new Map<JsonObject, number[]>()
  for (let depth = DEPTH; depth > 1; depth -= 1) if (sizeAt(schema, depth, { root: schema, most, sizes }) <= most) return depth
  return 1
}

/** Target of a reference inside of the schema. */
export function referred(root: JsonObject, reference: string): JsonObject {
  let at: unknown = reference.startsWith('#') ? root : undefined
  for (const step of reference.split('/').slice(1)) at = isObject(at) ? at[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined
  return isObject(at) ? at : {}
}

type Counting = { readonly root: JsonObject; readonly most: number; readonly sizes: Map<JsonObject, number[]> }

/** How many nodes the schema has once its references are written out down to this depth; each node and depth is counted once. */
function sizeAt(schema: JsonObject, depth: number, counting: Counting): number {
  if (depth === 0) return 1
  const known = counting.sizes.get(schema) ?? []
  counting.sizes.set(schema, known)
  return (known[depth] ??= Math.min(childrenSize(schema, depth, counting), counting.most + 1))
}

function childrenSize(schema: JsonObject, depth: number, counting: Counting): number {
  const { $ref } = schema
  let size = typeof $ref === 'string' ? sizeAt(referred(counting.root, $ref), depth - 1, counting) : 1
  for (const inner of innerOf(schema)) {
    size += sizeAt(inner, depth - 1, counting)
    if (size > counting.most) return size
  }
  return size
}

function innerOf({ properties, items, anyOf, oneOf, allOf }: JsonObject): JsonObject[] {
  const lists: readonly unknown[] = [anyOf, oneOf, allOf]
  const found: unknown[] = lists.flatMap((list): unknown[] => (Array.isArray(list) ? list : []))
  if (isObject(properties)) found.push(...Object.values(properties))
  found.push(items)
  return found.filter(isObject)
}

function nodesIn(value: unknown): { readonly nodes: number; readonly hasReference: boolean } {
  let nodes = 0
  let hasReference = false
  const open: unknown[] = [value]
  while (open.length > 0) {
    const one = open.pop()
    nodes += 1
    if (Array.isArray(one)) for (const inner of one) open.push(inner)
    else if (isObject(one)) {
      if (typeof one['$ref'] === 'string') hasReference = true
      for (const inner of Object.values(one)) open.push(inner)
    }
  }
  return { nodes, hasReference }
}
