import { ChannelType } from '../channel-types.ts'
import { baiduV2 as models } from '../preset-models.ts'
import { bearer, openAiPaths, vendor } from '../vendor.ts'

/** A key can name an application: `key|appid`. */
export const baiduV2 = vendor({
  channelType: ChannelType.BaiduV2,
  name: { zh: '百度文心千帆V2', en: 'Baidu Wenxin Qianfan V2' },
  ownedBy: 'volcengine',
  baseUrl: 'https://qianfan.baidubce.com',
  formats: ['openai-chat', 'openai-embeddings'],
  address: openAiPaths({ 'openai-chat': '/v2/chat/completions', 'openai-embeddings': '/v2/embeddings' }),
  headers: ({ key }) => {
    const appid = key.split('|')[1]?.trim() ?? ''
    return appid === '' ? {} : { appid }
  },
  auth: bearer((key) => key.split('|')[0]?.trim() ?? key),
  models,
  listing: 'models',
  streamOptions: true,
  reference: { url: 'https://cloud.baidu.com/doc/qianfan-api/s/Fm7u3ropn', checked: '2026-11-23' },
})
