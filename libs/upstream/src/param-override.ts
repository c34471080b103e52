import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import type { CallConditions, Operation, ParamOverride } from '@tollgate/domain/param-override/operation'
import { overrideBody, type Overridden } from '@tollgate/domain/param-override/apply'
import { parseParamOverride } from '@tollgate/domain/param-override/parse'
import type { JsonObject } from '@tollgate/providers/json'

type Given = ChannelSnapshot['param_override']
const parsed = new WeakMap<Given, ParamOverride>()

/** A channel's override with its operations; undefined if it has none, so that its members replace the body's as they are. */
export function operationsOf(given: Given): ParamOverride | undefined {
  if (!Object.hasOwn(given, 'operations')) return undefined
  const known = parsed.get(given)
  if (known !== undefined) return known
  const override = parseParamOverride(given)
  parsed.set(given, override)
  return override
}

const NO_MEMBERS: JsonObject = {}

type Encoding = {
  readonly param_override: JsonObject
  readonly patch: (body: JsonObject) => JsonObject
}

/** Effects of an override beside the changed body. */
export type OverrideEffects = Omit<Overridden, 'body'>

type Overriding = Encoding & { effects(): OverrideEffects | undefined }

/**
 * How a body is changed: the patch, then the channel's override. Forms have no paths, so only members are replaced. `effects` are known
 * once the body is encoded.
 */
export function withOverride(
  { param_override: given, patch }: Encoding,
  { isForm, call }: { readonly isForm: boolean; readonly call: CallConditions },
): Overriding {
  const override = isForm ? undefined : operationsOf(given)
  if (override === undefined) return { param_override: given, patch, effects: () => undefined }
  let effects: OverrideEffects | undefined
  const patched = (body: JsonObject): JsonObject => {
    const { body: changed, ...rest } = overrideBody(patch(body), override, call)
    effects = rest
    return changed
  }
  return { param_override: NO_MEMBERS, patch: patched, effects: () => effects }
}

/** The client headers that this channel's operations read, for a thread that does not have the request. */
export function headersRead(given: Given, header: (name: string) => string): Readonly<Record<string, string>> {
  const names = operationsOf(given)?.operations.flatMap(headerNames) ?? []
  return Object.fromEntries(names.map((name) => [name, header(name)]))
}

function headerNames({ conditions, places }: Operation): string[] {
  const inConditions = conditions.flatMap(({ subject }) => (subject.kind === 'header' ? [subject.name] : []))
  return [...inConditions, ...(places ?? []).flatMap((place) => (place.kind === 'header' ? [place.name] : []))]
}
