import { ChannelType } from '../channel-types.ts'
import * as presets from '../preset-models.ts'
import { bearer, vendor, type Vendor } from '../vendor.ts'

type Given = Pick<Vendor, 'channelType' | 'name' | 'ownedBy' | 'baseUrl' | 'models' | 'formats'> &
  Partial<Pick<Vendor, 'listing' | 'auth' | 'keyHint' | 'notice' | 'reference'>>

/** Vendors of tasks: their calls are in libs/providers/src/tasks. */
const taskVendor = (given: Given): Vendor => vendor({ listing: 'console', auth: bearer(), streamOptions: false, ...given })

const ofVideos = (given: Omit<Given, 'formats'>): Vendor => taskVendor({ ...given, formats: ['video'] })

const SIGNING_KEYS = { zh: '格式：AccessKey|SecretKey', en: 'Format: AccessKey|SecretKey' } as const

export const midjourneyProxy = taskVendor({
  channelType: ChannelType.MidjourneyProxy,
  name: { zh: 'Midjourney Proxy', en: 'Midjourney Proxy' },
  ownedBy: 'midjourney',
  baseUrl: 'https://oa.api2d.net',
  models: presets.midjourneyProxy,
  reference: { url: 'https://github.com/novicezk/midjourney-proxy/blob/main/docs/api.md', checked: '2026-11-24' },
  formats: ['midjourney'],
  auth: { kind: 'header', name: 'mj-api-secret' },
})

export const midjourneyProxyPlus = taskVendor({
  channelType: ChannelType.MidjourneyProxyPlus,
  name: { zh: 'Midjourney Proxy Plus', en: 'Midjourney Proxy Plus' },
  ownedBy: 'midjourney',
  baseUrl: 'https://api.openai-sb.com',
  models: presets.midjourneyProxyPlus,
  reference: { url: 'https://github.com/litter-coder/midjourney-proxy-plus/blob/main/docs/api.md', checked: '2026-11-24' },
  listing: 'channel',
  formats: ['midjourney'],
  auth: { kind: 'header', name: 'mj-api-secret' },
})

export const suno = taskVendor({
  channelType: ChannelType.Suno,
  name: { zh: 'Suno API', en: 'Suno API' },
  ownedBy: 'suno',
  baseUrl: '',
  models: presets.suno,
  reference: { url: 'https://github.com/Suno-API/Suno-API/blob/main/docs/swagger.yaml', checked: '2026-11-24' },
  formats: ['suno'],
})

export const kling = ofVideos({
  channelType: ChannelType.Kling,
  name: { zh: '可灵', en: 'Kling' },
  ownedBy: 'kling',
  baseUrl: 'https://api.klingai.com',
  keyHint: SIGNING_KEYS,
  models: presets.kling,
  reference: { url: 'https://github.com/KwaiVGI/ComfyUI-KLingAI-API/tree/main/py/api', checked: '2026-11-24' },
})

export const jimeng = ofVideos({
  channelType: ChannelType.Jimeng,
  name: { zh: '即梦', en: 'Jimeng' },
  ownedBy: 'jimeng',
  baseUrl: 'https://visual.volcengineapi.com',
  keyHint: SIGNING_KEYS,
  models: presets.jimeng,
  reference: { url: 'https://github.com/volcengine/volc-sdk-python/blob/main/volcengine/visual/VisualService.py', checked: '2026-11-24' },
})

export const vidu = ofVideos({
  channelType: ChannelType.Vidu,
  name: { zh: 'Vidu', en: 'Vidu' },
  ownedBy: 'vidu',
  baseUrl: 'https://api.vidu.cn',
  models: presets.vidu,
  reference: { url: 'https://platform.vidu.com/docs/get-generation', checked: '2026-11-24' },
})

export const doubaoVideo = ofVideos({
  channelType: ChannelType.DoubaoVideo,
  name: { zh: '豆包视频', en: 'Doubao Video' },
  ownedBy: 'doubao-video',
  baseUrl: 'https://ark.cn-beijing.volces.com',
  models: presets.doubaoVideo,
  reference: {
    url: 'https://github.com/volcengine/volcengine-python-sdk/tree/master/volcenginesdkarkruntime/resources/content_generation',
    checked: '2026-11-24',
  },
})

export const sora = ofVideos({
  channelType: ChannelType.Sora,
  name: { zh: 'Sora', en: 'Sora' },
  ownedBy: 'sora',
  baseUrl: 'https://api.openai.com',
  models: presets.sora,
  // https://developers.openai.com/api/docs/models/sora-2 (read 2026-11-24)
  notice: {
    zh: 'OpenAI 已于 2026 年 9 月 24 日停用 Videos API 和 Sora 2 模型。只有接口地址指向提供同样接口的其他服务时，才使用这个类型。',
    en: 'OpenAI shut down its Videos API and the Sora 2 models on 24 September 2026. Use this type only with the address of another service that offers the same API.',
  },
  reference: { url: 'https://developers.openai.com/api/docs/guides/video-generation', checked: '2026-11-24' },
})
