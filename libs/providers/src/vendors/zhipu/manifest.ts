import { ChannelType } from '../channel-types.ts'
import { makerModels } from '../../catalogue/maker-models.gen.ts'
import { zhipu as olderModels, zhipuV4 as models } from '../preset-models.ts'
import type { Quirks } from '../quirks.ts'
import { bearer, openAiPaths, vendor, type Reference } from '../vendor.ts'

/** GLM has no second name for the limit, and its ranges exclude the ends. */
const quirks: Quirks = {
  drop: ['frequency_penalty', 'presence_penalty', 'stream_options'],
  rename: { max_completion_tokens: 'max_tokens' },
  clamp: { top_p: { min: 0.01, max: 0.99 }, temperature: { max: 1 } },
  hasPlainImages: true,
  requiresContent: true,
}

const reference: Reference = { url: 'https://docs.bigmodel.cn', checked: '2026-11-23' }

const paths = {
  'openai-chat': '/api/paas/v4/chat/completions',
  'openai-embeddings': '/api/paas/v4/embeddings',
  'openai-images': '/api/paas/v4/images/generations',
  'anthropic-messages': '/api/anthropic/v1/messages',
} as const

/** The names of the first API generation, served by the current one. */
export const zhipu = vendor({
  channelType: ChannelType.Zhipu,
  name: { zh: '智谱 ChatGLM', en: 'Zhipu ChatGLM' },
  ownedBy: 'zhipu',
  baseUrl: 'https://open.bigmodel.cn',
  formats: ['openai-chat'],
  address: openAiPaths(paths),
  quirks,
  auth: bearer(),
  keyHint: { zh: '格式：id.secret', en: 'Format: id.secret' },
  models: olderModels,
  listing: 'models',
  streamOptions: false,
  reference,
})

export const zhipuV4 = vendor({
  channelType: ChannelType.ZhipuV4,
  name: { zh: '智谱 GLM-4V', en: 'Zhipu GLM-4V' },
  ownedBy: 'zhipu_4v',
  baseUrl: 'https://open.bigmodel.cn',
  formats: ['openai-chat', 'openai-embeddings', 'openai-images', 'anthropic-messages'],
  address: openAiPaths(paths),
  quirks,
  // https://github.com/zai-org/GLM-5/issues/74: 422 "Input should be 'user' or 'assistant'".
  systemMessages: { 'anthropic-messages': 'user' },
  auth: bearer(),
  models: [...makerModels['Z.AI'], ...models],
  listing: 'models',
  streamOptions: false,
  reference,
})
