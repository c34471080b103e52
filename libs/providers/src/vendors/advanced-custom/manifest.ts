import { BoundedMap } from '@tollgate/contracts/values/bounded-map'
import { API_FORMATS, type ApiFormat, type CallFacts } from '../../calls/api-format.ts'
import { parseJsonObject, textAt, type JsonObject } from '../../json.ts'
import { ChannelType } from '../channel-types.ts'
import { bearer, vendor } from '../vendor.ts'

/** Any service: the channel’s `other` field states the formats that it speaks and the path or address of each. */
export const advancedCustom = vendor({
  channelType: ChannelType.AdvancedCustom,
  name: { zh: 'Advanced Custom', en: 'Advanced Custom' },
  ownedBy: 'custom',
  baseUrl: '',
  formats: (_, other) => API_FORMATS.filter((format) => pathOf(other, format) !== undefined),
  address: { kind: 'derived', url: urlFor },
  auth: bearer(),
  otherHint: {
    zh: '接口格式到路径或地址的 JSON，例如 {"openai-chat":"/v1/chat/completions"}；{model} 会替换为模型名',
    en: 'JSON from API format to path or address, for example {"openai-chat":"/v1/chat/completions"}; {model} becomes the model',
  },
  models: [],
  listing: 'console',
  streamOptions: true,
  reference: { url: 'https://platform.openai.com/docs/api-reference/chat', checked: '2026-11-20' },
})

/** Routing asks for every request; few channels have such a field. */
const known = new BoundedMap<JsonObject>(100)

function pathOf(other: string, format: ApiFormat): string | undefined {
  const found = known.get(other)
  const paths = found ?? parseJsonObject(other) ?? {}
  if (found === undefined) known.set(other, paths)
  return textAt(paths, format)
}

function urlFor({ other, format, model }: CallFacts, base: string): string | undefined {
  const path = pathOf(other, format)?.replaceAll('{model}', model.split('/').map(encodeURIComponent).join('/'))
  if (path === undefined) return undefined
  if (/^https?:\/\//.test(path)) return path
  return base === '' ? undefined : `${base}${path.startsWith('/') ? '' : '/'}${path}`
}
