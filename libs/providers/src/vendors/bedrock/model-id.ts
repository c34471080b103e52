import { ownValue } from '@tollgate/contracts/values/own-value'

/** Models whose Bedrock id differs from the pattern: https://docs.aws.amazon.com/bedrock/latest/userguide/models-supported.html */
const IDS: Readonly<Record<string, string>> = {
  'claude-instant-1.2': 'anthropic.claude-instant-v1',
  'claude-2.0': 'anthropic.claude-v2',
  'claude-2.1': 'anthropic.claude-v2:1',
  'claude-3-5-sonnet-20241022': 'anthropic.claude-3-5-sonnet-20241022-v2:0',
  'claude-opus-4-6': 'anthropic.claude-opus-4-6-v1',
}

/** Ids of later models end with the name itself: https://platform.claude.com/docs/en/build-with-claude/claude-on-amazon-bedrock */
const WITHOUT_VERSION = /^claude-(?:(?:opus|sonnet|haiku)-(?:4-(?:[6-9]|\d\d)(?!\d)|[5-9])|fable|mythos)/

/** Models that are served through inference profiles only, whose ids begin with a geography. */
const PROFILED = /^claude-(?:3-5-sonnet-20241022|3-5-haiku|3-7|(?:sonnet|opus|haiku)-[4-9])/

/** The Bedrock id of a model in a region; ids are returned unchanged. */
export function modelIdOf(model: string, region: string): string {
  if (model.includes('anthropic.') || model.startsWith('arn:') || isOtherMaker(model)) return model
  const id = idOf(model)
  const geography = geographyOf(model, region)
  return PROFILED.test(model) && geography !== undefined ? `${geography}.${id}` : id
}

/** The same without a geography: an id of a profile names the model that it is for. */
export function baseModelIdOf(model: string): string {
  if (model.startsWith('arn:') || isOtherMaker(model)) return model
  return model.includes('anthropic.') ? model.slice(model.indexOf('anthropic.')) : idOf(model)
}

const idOf = (model: string): string => ownValue(IDS, model) ?? `anthropic.${model}${WITHOUT_VERSION.test(model) ? '' : '-v1:0'}`

/** An id or the address of a profile names its model's maker, as in `us.amazon.nova-pro-v1:0`; the profile of an application does not. */
export function isOtherMaker(model: string): boolean {
  if (model.startsWith('claude-') || model.includes('anthropic.')) return false
  return /^(?:arn:[^/]*\/)?(?:[a-z-]+\.)?[a-z][a-z0-9-]*\.[a-z]/.test(model)
}

/** Models of which Asia has profiles by country, and every other region a global one. */
const BY_COUNTRY = /^claude-(?:(?:sonnet|haiku)-4-[5-9]|opus-4-[6-9]|(?:sonnet|haiku|opus)-[5-9]|fable|mythos)/
const COUNTRIES: Readonly<Record<string, string>> = {
  'ap-northeast-1': 'jp',
  'ap-northeast-3': 'jp',
  'ap-southeast-2': 'au',
  'ap-southeast-4': 'au',
}

/** https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-support.html (read 2026-11-27) */
function geographyOf(model: string, region: string): string | undefined {
  if (region.startsWith('us-gov-')) return 'us-gov'
  const prefix = region.split('-')[0]
  if (prefix === 'us' || prefix === 'eu') return prefix
  if (BY_COUNTRY.test(model)) return COUNTRIES[region] ?? 'global'
  if (model.startsWith('claude-opus-4-5')) return 'global'
  return prefix === 'ap' ? 'apac' : undefined
}
