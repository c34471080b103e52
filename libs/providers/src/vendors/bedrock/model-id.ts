/** Names that Bedrock has under another id: https://docs.aws.amazon.com/bedrock/latest/userguide/models-supported.html */
const IDS: Readonly<Record<string, string>> = {
  'claude-instant-1.2': 'anthropic.claude-instant-v1',
  'claude-2.0': 'anthropic.claude-v2',
  'claude-2.1': 'anthropic.claude-v2:1',
  'claude-3-5-sonnet-20241022': 'anthropic.claude-3-5-sonnet-20241022-v2:0',
}

/** Models from here on are served through inference profiles only, whose ids begin with a part of the world. */
const PROFILED = /^claude-(?:3-5-sonnet-20241022|3-5-haiku|3-7|(?:sonnet|opus|haiku)-[4-9])/

/** The id under which a region serves a model; names that are ids already stay. */
export function modelIdOf(model: string, region: string): string {
  if (model.includes('anthropic.') || model.startsWith('arn:')) return model
  const id = IDS[model] ?? `anthropic.${model}-v1:0`
  const place = placeOf(region)
  return PROFILED.test(model) && place !== undefined ? `${place}.${id}` : id
}

function placeOf(region: string): string | undefined {
  const prefix = region.split('-')[0]
  if (prefix === 'us' || prefix === 'eu') return prefix
  return prefix === 'ap' ? 'apac' : undefined
}
