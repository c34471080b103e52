import { ChannelType } from '../channel-types.ts'
import { OPENAI_COMPATIBLE_FORMATS } from '../../calls/api-format.ts'
import { bearer, openAiPaths, vendor } from '../vendor.ts'
import { models } from './models.ts'

/** https://www.volcengine.com/docs/82379/1494384 */
export const volcengine = vendor({
  channelType: ChannelType.VolcEngine,
  name: { zh: '字节火山方舟、豆包、DeepSeek通用', en: 'Volcengine Ark, Doubao, DeepSeek' },
  ownedBy: 'volcengine',
  baseUrl: 'https://ark.cn-beijing.volces.com',
  formats: OPENAI_COMPATIBLE_FORMATS,
  address: openAiPaths({
    'openai-chat': ({ model }) => (model.startsWith('bot') ? '/api/v3/bots/chat/completions' : '/api/v3/chat/completions'),
    'openai-embeddings': '/api/v3/embeddings',
    'openai-images': '/api/v3/images/generations',
  }),
  auth: bearer(),
  models,
  listing: 'models',
  streamOptions: true,
  reference: { url: 'https://www.volcengine.com/docs/82379/1494384', checked: '2026-11-20' },
})
