import { ChannelType } from '../channel-types.ts'
import * as presets from '../preset-models.ts'
import { bearer, vendor } from '../vendor.ts'

/** Vendors of tasks: their calls are in libs/providers/src/tasks. */
export const midjourneyProxy = vendor({
  channelType: ChannelType.MidjourneyProxy,
  name: { zh: 'Midjourney Proxy', en: 'Midjourney Proxy' },
  ownedBy: 'midjourney',
  baseUrl: 'https://oa.api2d.net',
  models: presets.midjourneyProxy,
  listing: 'console',
  formats: ['midjourney'],
  auth: { kind: 'header', name: 'mj-api-secret' },
  streamOptions: false,
})

export const midjourneyProxyPlus = vendor({
  channelType: ChannelType.MidjourneyProxyPlus,
  name: { zh: 'Midjourney Proxy Plus', en: 'Midjourney Proxy Plus' },
  ownedBy: 'midjourney',
  baseUrl: 'https://api.openai-sb.com',
  models: presets.midjourneyProxyPlus,
  listing: 'channel',
  formats: ['midjourney'],
  auth: { kind: 'header', name: 'mj-api-secret' },
  streamOptions: false,
})

export const suno = vendor({
  channelType: ChannelType.Suno,
  name: { zh: 'Suno API', en: 'Suno API' },
  ownedBy: 'suno',
  baseUrl: '',
  models: presets.suno,
  listing: 'console',
  formats: ['suno'],
  auth: bearer(),
  streamOptions: false,
})

export const kling = vendor({
  channelType: ChannelType.Kling,
  name: { zh: '可灵', en: 'Kling' },
  ownedBy: 'kling',
  baseUrl: 'https://api.klingai.com',
  keyHint: { zh: '格式：AccessKey|SecretKey', en: 'Format: AccessKey|SecretKey' },
  models: presets.kling,
  listing: 'console',
  formats: ['video'],
  auth: bearer(),
  streamOptions: false,
})

export const jimeng = vendor({
  channelType: ChannelType.Jimeng,
  name: { zh: '即梦', en: 'Jimeng' },
  ownedBy: 'jimeng',
  baseUrl: 'https://visual.volcengineapi.com',
  keyHint: { zh: '格式：AccessKey|SecretKey', en: 'Format: AccessKey|SecretKey' },
  models: presets.jimeng,
  listing: 'console',
  formats: ['video'],
  auth: bearer(),
  streamOptions: false,
})

export const vidu = vendor({
  channelType: ChannelType.Vidu,
  name: { zh: 'Vidu', en: 'Vidu' },
  ownedBy: 'vidu',
  baseUrl: 'https://api.vidu.cn',
  models: presets.vidu,
  listing: 'console',
  formats: ['video'],
  auth: bearer(),
  streamOptions: false,
})

export const doubaoVideo = vendor({
  channelType: ChannelType.DoubaoVideo,
  name: { zh: '豆包视频', en: 'Doubao Video' },
  ownedBy: 'doubao-video',
  baseUrl: 'https://ark.cn-beijing.volces.com',
  models: presets.doubaoVideo,
  listing: 'console',
  formats: ['video'],
  auth: bearer(),
  streamOptions: false,
})

export const sora = vendor({
  channelType: ChannelType.Sora,
  name: { zh: 'Sora', en: 'Sora' },
  ownedBy: 'sora',
  baseUrl: 'https://api.openai.com',
  models: presets.sora,
  listing: 'console',
  formats: ['video'],
  auth: bearer(),
  streamOptions: false,
})
