import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { balanceTypes } from '../../libs/upstream/src/balance.ts'
import { chatCodecs } from '../../libs/providers/src/chat/formats/index.ts'
import { vendorCodecs } from '../../libs/providers/src/vendor-formats/index.ts'
import { API_FORMATS, type ApiFormat } from '../../libs/providers/src/calls/api-format.ts'
import { vendors } from '../../libs/providers/src/vendors/index.ts'
import { formatsOf, type Vendor } from '../../libs/providers/src/vendors/vendor.ts'
import { readRecording } from '../../libs/upstream/test/vendor-sdks/recording.ts'
import { CONVERSATIONS, VENDOR_SDKS, type VendorSdk } from '../../libs/upstream/test/vendor-sdks/sdks.ts'
import { code, page, table } from './markdown.ts'

const COLUMNS = [
  'Type',
  'Name',
  'Capabilities',
  'Streams',
  'Tools',
  'Usage',
  'Balance',
  'Checked by',
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
      '[vendor-features.md](vendor-features.md). Checked by: an SDK of the vendor whose recorded requests the gateway’s are compared with ' +
      '(below), a reference, or unverified.',
    parts: [
      table(COLUMNS, rows),
      '## Recordings of the vendors’ own clients',
      'Made by `npm run check:vendor-sdks -- --write`. The test `libs/upstream/test/vendor-sdks/requests.test.ts` compares the gateway’s ' +
        'requests with them: each difference has a reason in `….differences.json` beside the recording. Answers: `types` are those that the SDK declares; ' +
        '`answers.test.ts` feeds values of them to the decoders, with optional fields missing and values that the SDK does not know.',
      table(['Type', 'SDK', 'Version', 'Recorded', 'Compared', 'Not compared', 'Answers'], VENDOR_SDKS.map(sdkRowOf)),
    ],
  })
}

/** Its SDKs if any of their conversations is compared, else its reference. */
function checkOf({ channelType, reference }: Vendor): string {
  const names = VENDOR_SDKS.filter((sdk) => sdk.type === channelType && comparedOf(sdk).length > 0).map(
    (sdk) => `SDK ${code(sdk.package)} ${sdk.version}`,
  )
  const read = reference === undefined ? [] : [`${reference.url} (${reference.checked})`]
  return names.length + read.length === 0 ? 'unverified' : [...names, ...read].join(', ')
}

function sdkRowOf(sdk: VendorSdk): string[] {
  const { recorded } = readRecording(sdk)
  const { package: name, version, type, otherApi, types } = sdk
  const other = otherApi === undefined ? '' : `${otherApi.conversations.join(', ')}: ${otherApi.why}`
  return [String(type), code(name), version, recorded, comparedOf(sdk).join(', '), other, types === undefined ? 'no' : 'types']
}

/** The conversations that were recorded and go to the same API. */
function comparedOf(sdk: VendorSdk): readonly string[] {
  const { conversations } = readRecording(sdk)
  return CONVERSATIONS.filter((name) => conversations[name] !== undefined && sdk.otherApi?.conversations.includes(name) !== true)
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
    checkOf(vendor),
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
