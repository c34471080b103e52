import { withMessageQuirks, type MessageQuirks } from './message-quirks.ts'
import { isOpenAiModel } from '../chat/formats/openai-chat/models.ts'
import { isObject, listAt, textAt, type JsonObject } from '../json.ts'

/** Where a vendor's format differs from OpenAI's, as data. Applied to bodies of one format. */
export type Quirks = MessageQuirks & {
  /** Fields that the vendor refuses; each becomes a warning. */
  readonly drop?: readonly string[]
  /** Fields with another name; the vendor's own name wins if both are present. */
  readonly rename?: Readonly<Record<string, string>>
  /** Values that the vendor names differently, by field. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Numbers outside the range are moved to its end. */
  readonly clamp?: Readonly<Record<string, { readonly min?: number; readonly max?: number }>>
  /** Fields that are set if the client did not, in calls without a stream. */
  readonly wholeDefaults?: JsonObject
  /** Where `wholeDefaults` are left out: for these models, and beside these fields. */
  readonly withoutDefaults?: { readonly models: RegExp; readonly fields: readonly string[] }
  /** Roles of messages that the vendor names differently. OpenAI's models know all roles wherever they are served. */
  readonly roles?: Readonly<Record<string, string>>
  /** Messages without content, or with null, are refused: they get an empty text. */
  readonly requiresContent?: boolean
  /** Inline images are plain base64 instead of a data URL. */
  readonly hasPlainImages?: boolean
}

type Steps = readonly ((quirks: Quirks, body: JsonObject) => JsonObject)[]

/** The body as the vendor accepts it; the same object if nothing changes. */
export function applyQuirks(quirks: Quirks, body: JsonObject, isStream: boolean): JsonObject {
  const steps: Steps = isStream ? STEPS : [...STEPS, withDefaults]
  let changed = body
  for (const step of steps) changed = step(quirks, changed)
  return changed
}

/** The fields of a body that the vendor refuses. */
export function droppedBy({ drop = [] }: Quirks, body: JsonObject): readonly string[] {
  return drop.filter((name) => isSet(body[name]))
}

const STEPS: Steps = [withoutDropped, renamed, withOwnValues, clamped, withPlainImages, withOwnMessages, withMessages]

const isSet = (value: unknown) => value !== undefined && value !== null

function withoutDropped({ drop = [] }: Quirks, body: JsonObject): JsonObject {
  if (!drop.some((name) => name in body)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !drop.includes(name)))
}

function renamed({ rename = {} }: Quirks, body: JsonObject): JsonObject {
  const names = Object.keys(rename).filter((name) => name in body)
  if (names.length === 0) return body
  const moved = names.filter((name) => !isSet(body[rename[name] ?? name]) && isSet(body[name]))
  const kept = Object.entries(body).filter(([name]) => !names.includes(name))
  return { ...Object.fromEntries(kept), ...Object.fromEntries(moved.map((name) => [rename[name] ?? name, body[name]])) }
}

function withOwnValues({ values = {} }: Quirks, body: JsonObject): JsonObject {
  const changes = Object.entries(values).flatMap(([name, known]) => {
    const value = body[name]
    const own = typeof value === 'string' && Object.hasOwn(known, value) ? known[value] : undefined
    return own === undefined ? [] : [[name, own] as const]
  })
  return changes.length === 0 ? body : { ...body, ...Object.fromEntries(changes) }
}

function clamped({ clamp = {} }: Quirks, body: JsonObject): JsonObject {
  const changes = Object.entries(clamp).flatMap(([name, { min = -Infinity, max = Infinity }]) => {
    const value = body[name]
    if (typeof value !== 'number' || (value >= min && value <= max)) return []
    return [[name, Math.min(max, Math.max(min, value))] as const]
  })
  return changes.length === 0 ? body : { ...body, ...Object.fromEntries(changes) }
}

function withDefaults({ wholeDefaults = {}, withoutDefaults }: Quirks, body: JsonObject): JsonObject {
  const isWithout = withoutDefaults?.fields.some((name) => isSet(body[name])) === true
  if (isWithout || withoutDefaults?.models.test(textAt(body, 'model') ?? '') === true) return body
  const absent = Object.entries(wholeDefaults).filter(([name]) => !isSet(body[name]))
  return absent.length === 0 ? body : { ...body, ...Object.fromEntries(absent) }
}

function withMessages(quirks: Quirks, body: JsonObject): JsonObject {
  const messages = listAt(body, 'messages')
  const changed = withMessageQuirks(messages, quirks)
  return changed === messages ? body : { ...body, messages: changed }
}

/** Messages with the vendor's roles and with content; the same object if all are already so. */
function withOwnMessages({ roles = {}, requiresContent = false }: Quirks, body: JsonObject): JsonObject {
  const messages = listAt(body, 'messages')
  const own = isOpenAiModel(textAt(body, 'model') ?? '') ? {} : roles
  let hasChanged = false
  const changed = messages.map((message) => {
    if (!isObject(message)) return message
    const given = message['role']
    const role = typeof given === 'string' && Object.hasOwn(own, given) ? own[given] : given
    const isEmpty = requiresContent && !isSet(message['content'])
    if (role === given && !isEmpty) return message
    hasChanged = true
    return { ...message, role, ...(isEmpty ? { content: '' } : {}) }
  })
  return hasChanged ? { ...body, messages: changed } : body
}

const DATA_URL = /^data:image\/[^;,]+;base64,/

function withPlainImages({ hasPlainImages = false }: Quirks, body: JsonObject): JsonObject {
  const { messages } = body
  if (!hasPlainImages || !Array.isArray(messages)) return body
  let hasChanged = false
  const plain = messages.map((message: unknown) => {
    if (!isObject(message) || !Array.isArray(message['content'])) return message
    const content = message['content'].map((part: unknown) => {
      const image = isObject(part) ? part['image_url'] : undefined
      const url = isObject(image) ? image['url'] : undefined
      if (!isObject(part) || !isObject(image) || typeof url !== 'string' || !DATA_URL.test(url)) return part
      hasChanged = true
      return { ...part, image_url: { ...image, url: url.replace(DATA_URL, '') } }
    })
    return { ...message, content }
  })
  return hasChanged ? { ...body, messages: plain } : body
}
