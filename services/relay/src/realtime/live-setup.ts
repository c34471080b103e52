import { objectField, withoutFields } from '@tollgate/providers/chat/formats/gemini/fields'
import { isObject, type JsonObject } from '@tollgate/providers/json'
import type { LiveToken } from '../identity/live-tokens.ts'

/**
 * The first message as a token allows it: its own setup, in which a client changes only what the mask leaves out, and names the session
 * that it resumes. https://ai.google.dev/api/live#ephemeral-auth-tokens
 */
export function constrainedSetup(given: JsonObject, { setup, field_mask }: Pick<LiveToken, 'setup' | 'field_mask'>): JsonObject {
  if (Object.keys(setup).length === 0) return given
  const paths = field_mask.split(',').map((path) => path.trim())
  const resumed = objectField(given, 'sessionResumption')
  const own = Object.keys(resumed).length === 0 ? setup : { ...withoutFields(setup, ['sessionResumption']), sessionResumption: resumed }
  return field_mask === '' ? own : paths.reduce((sum, path) => withLocked(sum, own, path.split('.')), given)
}

/** The object with what stands at the path in the other one, in whichever spelling either has it. */
function withLocked(object: JsonObject, locked: JsonObject, [name = '', ...rest]: readonly string[]): JsonObject {
  const camel = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const others = withoutFields(object, [camel])
  const own = withoutFields(
    locked,
    Object.keys(locked).filter((one) => one !== camel && one !== name),
  )
  const [value] = Object.values(own)
  if (rest.length > 0) return { ...others, ...field(camel, withLocked(objectField(object, camel), isObject(value) ? value : {}, rest)) }
  return value === undefined ? others : { ...others, ...field(camel, value) }
}

/** Own properties only, whatever their name. */
const field = (name: string, value: unknown): JsonObject => Object.fromEntries([[name, value]])
