import { expect, it } from 'vitest'
import type { CallFacts } from '../../calls/api-format.ts'
import { urlFor } from '../address.ts'
import { apiFor, formatsOf } from '../vendor.ts'
import { xunfei } from './manifest.ts'

const HTTP = 'https://spark-api-open.xf-yun.com/v1/chat/completions'
const SOCKET = 'https://spark-api.xf-yun.com'

it.each([
  ['SparkDesk-v2.1', '', 'app|secret|key', `${SOCKET}/v2.1/chat`, 'generalv2'],
  ['SparkDesk', 'v2.1', 'app|secret|key', `${SOCKET}/v2.1/chat`, 'generalv2'],
  ['a-tuned-model', 'v1.1', 'app|secret|key', `${SOCKET}/v1.1/chat`, 'a-tuned-model'],
  ['SparkDesk', 'v3.5', 'app|secret|key', HTTP, 'generalv3.5'],
  ['generalv3.5', 'v1.1', 'app|secret|key', HTTP, 'generalv3.5'],
  ['a-tuned-model', '', 'app|secret|key', HTTP, 'a-tuned-model'],
  // Signing needs all three parts.
  ['SparkDesk-v2.1', '', 'a-password', HTTP, 'generalv2'],
])('%s with version "%s" and key %s calls %s as %s', (model, other, key, url, domain) => {
  const api = apiFor(xunfei, { key, model, other })
  const [format = 'openai-chat'] = formatsOf(api, model, other)
  const call: CallFacts = { format, model, is_stream: true, other, key, gemini_version: '', query: '' }
  const body = api.patch?.(format === 'xunfei-chat' ? { parameter: { chat: {} } } : { model }, call) ?? {}

  expect(urlFor(api, '', call)).toBe(url)
  expect(body).toMatchObject(format === 'xunfei-chat' ? { header: { app_id: 'app' }, parameter: { chat: { domain } } } : { model: domain })
})

it('turns instructions into a turn for old versions, and leaves them for tuned models', () => {
  const text = [
    { role: 'system', content: 'Be brief' },
    { role: 'user', content: 'Hi' },
  ]
  const sentTo = (model: string, other: string) => {
    const call = { format: 'xunfei-chat', model, is_stream: true, other, key: 'app|secret|key' } as const
    return apiFor(xunfei, call).patch?.({ payload: { message: { text } } }, call)
  }

  expect(sentTo('SparkDesk-v2.1', '')).toMatchObject({
    payload: {
      message: {
        text: [
          { role: 'user', content: 'Be brief' },
          { role: 'assistant', content: 'Okay' },
          { role: 'user', content: 'Hi' },
        ],
      },
    },
  })
  expect(sentTo('a-tuned-model', 'v1.1')).toMatchObject({ payload: { message: { text } } })
})
