import { setTimeout as wait } from 'node:timers/promises'
import { createChannel, must, type Api } from '../../support/api.ts'
import type { Secrets } from '../secrets.ts'
import type { Target } from '../target.ts'
import { CASE_HEADER } from './encode-case.ts'

const OPENAI_MODELS =
  'fz-openai,gpt-4o,o3-mini,gpt-4o-audio-preview,gpt-3.5-turbo-instruct,text-embedding-3-small,omni-moderation-latest,dall-e-2,dall-e-3,gpt-image-1,tts-1,gpt-4o-mini-tts,whisper-1,gpt-4o-transcribe,gpt-4o-realtime-preview,fz-price,fz-realtime'

/** Two channels of each kind, so that a request can be tried again. The key is one that no answer may show. */
const CHANNELS = [
  { name: 'openai', type: 1, models: OPENAI_MODELS, other: '' },
  { name: 'anthropic', type: 14, models: 'fz-anthropic,claude-sonnet-4-20250514,claude-3-7-sonnet-20250219-thinking', other: '' },
  { name: 'gemini', type: 24, models: 'fz-gemini,gemini-2.5-flash,gemini-2.5-pro', other: '' },
  { name: 'azure', type: 3, models: 'fz-azure', other: '2025-04-01-preview' },
  { name: 'deepseek', type: 43, models: 'fz-deepseek', other: '' },
  { name: 'openrouter', type: 20, models: 'fz-openrouter', other: '' },
] as const

/** Creates the channels and prices of a run. */
export async function setUpModels(
  api: Api,
  target: Target,
  { vendorUrl, secrets }: { vendorUrl: string; secrets: Secrets },
): Promise<void> {
  for (const { name, type, models, other } of CHANNELS) {
    for (const nth of [1, 2]) {
      const key = `sk-channelkey-${name}-${nth}-${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`
      secrets.add(`key of channel ${name} ${nth}`, key)
      // The vendor finds the script of a case by this header.
      const setting = JSON.stringify({ header_override: { [CASE_HEADER]: `{client_header:${CASE_HEADER}}` } })
      await createChannel(api, { type, name: `${name} ${nth}`, key, models, other, base_url: vendorUrl, setting, auto_ban: 0 })
    }
  }
  for (const [key, value] of [
    ['ModelRatio', 1.25],
    ['CompletionRatio', 4],
  ] as const) {
    const options = must(await api.get<{ key: string; value: string }[]>('/api/option/'))
    const known = JSON.parse(options.find((one) => one.key === key)?.value ?? '{}') as Record<string, number> // the option's own text
    const names = ['openai', 'anthropic', 'gemini', 'azure', 'deepseek', 'openrouter', 'none', 'realtime'].map((name) => `fz-${name}`)
    const extra = ['gpt-4o-realtime-preview', 'gpt-4o-transcribe', 'gpt-4o-mini-tts', 'omni-moderation-latest'].filter(
      (name) => !(name in known),
    )
    must(
      await api.put('/api/option/', {
        key,
        value: JSON.stringify({ ...known, ...Object.fromEntries([...names, ...extra].map((name) => [name, value])) }),
      }),
    )
  }
  const prices =
    must(await api.get<{ key: string; value: string }[]>('/api/option/')).find((one) => one.key === 'ModelPrice')?.value ?? '{}'
  must(await api.put('/api/option/', { key: 'ModelPrice', value: JSON.stringify({ ...(JSON.parse(prices) as object), 'fz-price': 0.02 }) }))
  must(await api.put('/api/option/', { key: 'RetryTimes', value: '1' }))
  await waitForSnapshot(target)
}

/** Waits until the relay has read the snapshot with the channels. */
async function waitForSnapshot({ relayUrl }: Target): Promise<void> {
  const deadline = Date.now() + 15_000
  while (!(await fetch(`${relayUrl}/readyz`)).ok && Date.now() < deadline) await wait(50)
  await wait(1500)
}
