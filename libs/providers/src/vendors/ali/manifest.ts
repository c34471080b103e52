import { ChannelType } from '../channel-types.ts'
import { ali as models } from '../preset-models.ts'
import { bearer, openAiPaths, vendor } from '../vendor.ts'

/** The compatible mode of DashScope; images have its own form. */
export const ali = vendor({
  channelType: ChannelType.Ali,
  name: { zh: '阿里通义千问', en: 'Alibaba Tongyi Qianwen' },
  ownedBy: 'ali',
  baseUrl: 'https://dashscope.aliyuncs.com',
  formats: ['openai-chat', 'openai-completions', 'openai-embeddings', 'rerank', 'ali-images', 'anthropic-messages'],
  address: openAiPaths({
    'openai-chat': '/compatible-mode/v1/chat/completions',
    'openai-completions': '/compatible-mode/v1/completions',
    'openai-embeddings': '/compatible-mode/v1/embeddings',
    // https://help.aliyun.com/en/model-studio/text-rerank-api
    rerank: '/compatible-api/v1/reranks',
    'anthropic-messages': '/apps/anthropic/v1/messages',
  }),
  quirks: {
    clamp: { top_p: { min: 0.001, max: 0.999 } },
    // Qwen3 refuses a call without a stream that lets it think.
    wholeDefaults: { enable_thinking: false },
  },
  headers: ({ is_stream, other }) => ({
    ...(is_stream ? { 'x-dashscope-sse': 'enable' } : {}),
    ...(other.trim() === '' ? {} : { 'x-dashscope-plugin': other.trim() }),
  }),
  otherHint: { zh: '插件参数，即请求头 X-DashScope-Plugin 的值', en: 'Plugin parameter: the value of header X-DashScope-Plugin' },
  auth: bearer(),
  models,
  listing: 'models',
  streamOptions: true,
  reference: { url: 'https://help.aliyun.com/zh/model-studio/compatibility-of-openai-with-dashscope', checked: '2026-11-23' },
})
