import type { ChannelSnapshot } from '@tollgate/contracts/snapshot'
import type { CallConditions, ParamOverride } from '@tollgate/domain/param-override/operation'
import { overrideBody } from '@tollgate/domain/param-override/apply'
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

/** How a body is changed: the patch, then the channel's override. Forms have no paths, so only members are replaced. */
export function withOverride(
  { param_override: given, patch }: Encoding,
  { isForm, call }: { readonly isForm: boolean; readonly call: CallConditions },
): Encoding {
  const override = isForm ? undefined : operationsOf(given)
  if (override === undefined) return { param_override: given, patch }
  return { param_override: NO_MEMBERS, patch: (body) => overrideBody(patch(body), override, call) }
}

/** The client headers that conditions of this channel read, for a thread that does not have the request. */
export function conditionHeaders(given: Given, header: (name: string) => string): Readonly<Record<string, string>> {
  const subjects = operationsOf(given)?.operations.flatMap(({ conditions }) => conditions.map(({ subject }) => subject)) ?? []
  return Object.fromEntries(subjects.flatMap((subject) => (subject.kind === 'header' ? [[subject.name, header(subject.name)]] : [])))
}
