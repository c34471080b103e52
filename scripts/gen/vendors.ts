import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { balanceTypes } from '../../libs/upstream/src/balance.ts'
import { chatCodecs } from '../../libs/providers/src/chat/formats/index.ts'
import { vendorCodecs } from '../../libs/providers/src/vendor-formats/index.ts'
import { API_FORMATS, type ApiFormat } from '../../libs/providers/src/calls/api-format.ts'
import { vendors } from '../../libs/providers/src/vendors/index.ts'
import { formatsOf, type Vendor } from '../../libs/providers/src/vendors/vendor.ts'
import { code, page, table } from './markdown.ts'

const COLUMNS = [
  'Type',
  'Name',
  'Capabilities',
  'Streams',
  'Tools',
  'Usage',
  'Balance',
  'Verified against',
  'Tests',
  'Base URL',
  'Models',
  'Offered',
]

export function renderVendors(): string {
  const rows = Object.values(vendors)
    .toSorted((a: Vendor, b: Vendor) => a.channelType - b.channelType)
    .map(rowOf)
  return page({
    title: 'Vendors',
    about:
      'Declared in `libs/providers/src/vendors`. Usage: "reported" is the vendor’s own; calls without it are estimated. Tests: `matrix` is ' +
      '[conformance.md](conformance.md), `suite` is `libs/providers/src/conformance.test.ts`, `own format` is ' +
      '`libs/providers/src/vendor-formats/vendor-codecs.test.ts`, `failures` is `libs/upstream/src/vendor-failures.test.ts` or, for tasks, ' +
      '`task-failures.test.ts` beside it, `addresses` is ' +
      '`libs/providers/src/vendors/vendors.test.ts`. What becomes of tools, images, schemas, reasoning and cache marks per vendor: ' +
      '[vendor-features.md](vendor-features.md).',
    parts: [table(COLUMNS, rows)],
  })
}

function rowOf(vendor: Vendor): string[] {
  const formats = allFormats(vendor)
  const chats = formats.filter((format) => format in CHATS)
  return [
    String(vendor.channelType),
    vendor.name.en === vendor.name.zh ? vendor.name.en : `${vendor.name.en} · ${vendor.name.zh}`,
    formats.length === 0 ? (vendor.retired === undefined ? 'not served yet' : `retired: ${vendor.retired.en}`) : formats.join(', '),
    chats.length > 0 ? 'yes' : 'no',
    chats.length === 0 ? 'no' : chats.some((format) => CHATS[format] === 'tools') ? 'yes' : 'no',
    formats.length === 0 ? 'none' : 'reported',
    balanceTypes.includes(vendor.channelType) ? 'yes' : 'the vendor has no call for it, or none is known',
    vendor.reference === undefined ? 'unverified' : `${vendor.reference.url} (${vendor.reference.checked})`,
    testsOf(vendor, formats),
    vendor.baseUrl === '' ? 'the channel’s own' : code(vendor.baseUrl),
    String(vendor.models.length),
    vendor.isSelectable ? 'yes' : 'no',
  ]
}

/** Chat formats, and whether they carry tools. */
const CHATS: Partial<Record<ApiFormat, 'tools' | 'text'>> = {
  'openai-chat': 'tools',
  'openai-responses': 'tools',
  'anthropic-messages': 'tools',
  gemini: 'tools',
  'baidu-chat': 'text',
  'bedrock-converse': 'tools',
  'coze-chat': 'text',
  'dify-chat': 'text',
  'replicate-chat': 'text',
  'tencent-chat': 'tools',
  'xunfei-chat': 'text',
}

const TASKS: ReadonlySet<ApiFormat> = new Set(['midjourney', 'suno', 'video'])

/** The formats of a vendor; of all its preset models and APIs. */
function allFormats(vendor: Vendor): readonly ApiFormat[] {
  // An advanced channel states its formats; all of them are possible.
  const other = JSON.stringify(Object.fromEntries(API_FORMATS.map((format) => [format, '/'])))
  const forms = [vendor, ...(vendor.otherApis ?? []).map((api) => api.vendor)]
  return [...new Set(forms.flatMap((form) => ['', ...vendor.models].flatMap((model) => formatsOf(form, model, other))))]
}

/** The channel types of the rows of the relay's test. */
const RELAY_TEST = 'services/relay/test/vendors.test.ts'
const relayed = new Set(
  Array.from(readFileSync(join(import.meta.dirname, '../..', RELAY_TEST), 'utf8').matchAll(/\btype: (\d+),/g), ([, type]) => Number(type)),
)

function testsOf(vendor: Vendor, formats: readonly ApiFormat[]): string {
  if (formats.length === 0) return vendor.retired === undefined ? 'none: nothing is sent' : 'addresses'
  const isInSuite = typeof vendor.formats !== 'function' && vendor.formats.includes('openai-chat')
  const isInMatrix = formats.some((format) => format in chatCodecs)
  const isOwn = formats.some((format) => format in vendorCodecs && !(format in chatCodecs))
  const canFail = formats.some((format) => format in CHATS || format === 'openai-embeddings' || TASKS.has(format))
  return [
    'addresses',
    ...(canFail ? ['failures'] : []),
    ...(isOwn ? ['own format'] : []),
    ...(isInSuite ? ['suite'] : []),
    ...(isInMatrix ? ['matrix'] : []),
    ...(relayed.has(vendor.channelType) ? ['relay'] : []),
  ].join(', ')
}
