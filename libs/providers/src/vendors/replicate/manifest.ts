import { streamOf } from '../../vendor-formats/replicate-chat/prediction.ts'
import type { CallFacts } from '../../calls/api-format.ts'
import { ChannelType } from '../channel-types.ts'
import { replicate as models } from '../preset-models.ts'
import { bearer, openAiPaths, vendor } from '../vendor.ts'

/** Official models have an address of their own; a version is named in the body. */
const VERSION = /(?:^|:)([0-9a-f]{64})$/

/** Predictions: a whole answer is waited for, up to a minute; a stream is read at the address that the prediction states. */
export const replicate = vendor({
  channelType: ChannelType.Replicate,
  name: { zh: 'Replicate', en: 'Replicate' },
  ownedBy: 'replicate',
  baseUrl: 'https://api.replicate.com',
  formats: ['replicate-chat', 'replicate-images'],
  address: openAiPaths({ 'replicate-chat': pathOf, 'replicate-images': pathOf }),
  auth: bearer(),
  patch: (body, { model }) => {
    const version = VERSION.exec(model)?.[1]
    return version === undefined ? body : { version, ...body }
  },
  headers: ({ is_stream }): Record<string, string> => (is_stream ? {} : { prefer: 'wait' }),
  followUp: (answer, { format }) => {
    const url = format === 'replicate-chat' ? streamOf(answer) : undefined
    return url === undefined ? undefined : { kind: 'stream', url }
  },
  models,
  listing: 'console',
  streamOptions: false,
  reference: { url: 'https://replicate.com/docs/reference/http', checked: '2026-11-23' },
})

function pathOf({ model }: CallFacts): string {
  if (VERSION.test(model)) return '/v1/predictions'
  return `/v1/models/${model.split('/').map(encodeURIComponent).join('/')}/predictions`
}
