// Reads types of answers from the declarations of a package, as JSON Schema: `node read-types.mjs '{"names":{"chat":"package#Name"}}'`.
import { rmSync, writeFileSync } from 'node:fs'
import ts from 'typescript'

const { names, isSnakeCase = false } = JSON.parse(process.argv[2])
const PROBE = 'types-probe.ts'
const lines = Object.entries(names).map(([key, name]) => {
  const [module, path] = name.split('#')
  return `export type T_${key} = import('${module}').${path}`
})
writeFileSync(PROBE, `${lines.join('\n')}\n`)
const options = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, strict: true, skipLibCheck: true }
const program = ts.createProgram([PROBE], { ...options, target: ts.ScriptTarget.ES2022, types: [] })
const checker = program.getTypeChecker()
const probe = program.getSourceFile(PROBE)
const faults = ts.getPreEmitDiagnostics(program, probe).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
if (faults.length > 0) throw new Error(faults.join('\n'))

const AS_TEXT = new Set(['Date', 'Uint8Array', 'Buffer', 'Blob', 'URL', 'ReadableStream'])
const $defs = {}
const named = new Map()
const open = new Set()
const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(probe))
const REQUEST = 'T_request'
const roots = exported
  .filter(({ name }) => name !== REQUEST)
  .map((symbol) => {
    return [symbol.name.slice(2), schemaOf(checker.getDeclaredTypeOfSymbol(symbol))]
  })
rmSync(PROBE)
const request = exported.find(({ name }) => name === REQUEST)
const toName = ({ name }) => (isSnakeCase ? toSnakeCase(name) : name)
const fields = request === undefined ? {} : { request: checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(request)).map(toName) }
process.stdout.write(JSON.stringify({ roots: Object.fromEntries(roots), $defs, ...fields }))

function toSnakeCase(name) {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function schemaOf(type) {
  const { flags } = type
  const has = (flag) => (flags & flag) !== 0
  if (has(ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.NonPrimitive)) return {}
  if (has(ts.TypeFlags.StringLiteral | ts.TypeFlags.NumberLiteral)) return { const: type.value }
  if (has(ts.TypeFlags.BooleanLiteral)) return { const: type.intrinsicName === 'true' }
  if (has(ts.TypeFlags.StringLike)) return { type: 'string' }
  if (has(ts.TypeFlags.BigIntLike)) return { type: 'integer' }
  if (has(ts.TypeFlags.NumberLike)) return { type: 'number' }
  if (has(ts.TypeFlags.Null)) return { type: 'null' }
  if (has(ts.TypeFlags.Boolean)) return { type: 'boolean' }
  if (type.isUnion()) return unionOf(type)
  // Open enums are strings with a brand.
  if (type.isIntersection() && type.types.some((part) => (part.flags & ts.TypeFlags.StringLike) !== 0)) return { type: 'string' }
  return objectOf(type)
}

function unionOf(type) {
  const isAbsent = ({ flags }) => (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void | ts.TypeFlags.Never)) !== 0
  const parts = type.types.filter((part) => !isAbsent(part)).map(schemaOf)
  const unique = [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()]
  const isBoolean = (part) => typeof part.const === 'boolean'
  const booleans = unique.filter(isBoolean)
  const all = booleans.length === 2 ? [...unique.filter((part) => !isBoolean(part)), { type: 'boolean' }] : unique
  return all.length === 1 ? all[0] : { anyOf: all }
}

function objectOf(type) {
  if (AS_TEXT.has(type.symbol?.name)) return { type: 'string' }
  if (checker.isArrayType(type)) return arrayOf(type)
  if (checker.isTupleType(type)) return { type: 'array', items: { anyOf: checker.getTypeArguments(type).map(schemaOf) } }
  const known = named.get(type)
  if (known !== undefined) return { $ref: `#/$defs/${known}` }
  const base = type.aliasSymbol?.name ?? type.symbol?.name ?? 'Type'
  const label = uniqueName(base.startsWith('__') ? 'Type' : base)
  named.set(type, label)
  $defs[label] = {}
  $defs[label] = propertiesOf(type)
  return { $ref: `#/$defs/${label}` }
}

/** An array of a type that contains itself, such as JSON, is read once. */
function arrayOf(type) {
  if (open.has(type)) return {}
  open.add(type)
  const items = schemaOf(checker.getTypeArguments(type)[0])
  open.delete(type)
  return { type: 'array', items }
}

function uniqueName(base) {
  if (!(base in $defs)) return base
  for (let at = 2; ; at += 1) if (!(`${base}${at}` in $defs)) return `${base}${at}`
}

function propertiesOf(type) {
  const properties = {}
  const required = []
  for (const symbol of checker.getPropertiesOfType(type)) {
    const own = checker.getTypeOfSymbol(symbol)
    // Methods, getters and what the SDK adds itself.
    const isAdded = /^[_$]|^sdkHttpResponse$/.test(symbol.name) || own.getCallSignatures().length > 0
    if (isAdded || (symbol.flags & ts.SymbolFlags.Accessor) !== 0) continue
    const name = isSnakeCase ? toSnakeCase(symbol.name) : symbol.name
    if ((own.flags & ts.TypeFlags.Never) !== 0) continue
    const mayBeAbsent = own.isUnion() && own.types.some(({ flags }) => (flags & ts.TypeFlags.Undefined) !== 0)
    if ((own.flags & ts.TypeFlags.Undefined) !== 0) continue
    properties[name] = schemaOf(own)
    // AWS marks required members as possibly undefined.
    if ((symbol.flags & ts.SymbolFlags.Optional) === 0 && !(mayBeAbsent && isOnlyNever(own))) required.push(name)
  }
  const index = checker.getIndexTypeOfType(type, ts.IndexKind.String)
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    ...(index === undefined || Object.keys(properties).length > 0 ? {} : { additionalProperties: schemaOf(index) }),
  }
}

function isOnlyNever(type) {
  return type.types.every(({ flags }) => (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Never)) !== 0)
}
