import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { usageFromOpenAi } from './chat/formats/openai-chat/usage.ts'
import { usageFromResponse } from './chat/formats/openai-responses/usage.ts'
import { usageFromGemini } from './chat/formats/gemini/usage.ts'
import { promptClasses } from './prompt-classes.ts'

const count = fc.option(fc.nat({ max: 2000 }), { nil: undefined })

describe('the classes of a prompt', () => {
  it('sum to the prompt, whatever a vendor states', () => {
    const stated = fc.record({
      prompt: fc.nat({ max: 1000 }),
      audio: count,
      image: count,
      cached: count,
      cached_audio: count,
      cached_image: count,
      written: count,
      written_1h: count,
    })
    fc.assert(
      fc.property(stated, ({ prompt, ...counts }) => {
        const given = Object.fromEntries(Object.entries(counts).filter(([, value]) => value !== undefined))
        const classes = Object.values(promptClasses({ prompt, ...given })).map((tokens = 0) => tokens)
        expect(classes.every((tokens) => tokens >= 0)).toBe(true)
        expect(classes.reduce((sum, tokens) => sum + tokens, 0)).toBe(prompt)
      }),
    )
  })

  it('charge cached images as cached for a chat vendor that states only their sum', () => {
    const raw = { prompt_tokens: 1000, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 1000, image_tokens: 900 } }
    expect(usageFromOpenAi(raw)).toMatchObject({ text_in: 0, cache_read: 1000, image_in: 0 })
  })

  it.each([
    [
      'chat',
      () =>
        usageFromOpenAi({
          prompt_tokens: 1000,
          completion_tokens: 1,
          prompt_tokens_details: {
            cached_tokens: 700,
            audio_tokens: 300,
            image_tokens: 400,
            cached_tokens_details: { text_tokens: 200, audio_tokens: 200, image_tokens: 300 },
          },
        }),
    ],
    [
      'Responses',
      () =>
        usageFromResponse({
          usage: {
            input_tokens: 1000,
            output_tokens: 1,
            input_tokens_details: {
              cached_tokens: 700,
              audio_tokens: 300,
              image_tokens: 400,
              cached_tokens_details: { text_tokens: 200, audio_tokens: 200, image_tokens: 300 },
            },
          },
        }),
    ],
    [
      'Gemini',
      () =>
        usageFromGemini({
          promptTokenCount: 1000,
          candidatesTokenCount: 1,
          cachedContentTokenCount: 700,
          promptTokensDetails: [
            { modality: 'TEXT', tokenCount: 300 },
            { modality: 'AUDIO', tokenCount: 300 },
            { modality: 'IMAGE', tokenCount: 400 },
          ],
          cacheTokensDetails: [
            { modality: 'TEXT', tokenCount: 200 },
            { modality: 'AUDIO', tokenCount: 200 },
            { modality: 'IMAGE', tokenCount: 300 },
          ],
        }),
    ],
  ])('are the same for the same prompt of %s', (_, usage) => {
    expect(usage()).toMatchObject({
      text_in: 100,
      cache_read: 200,
      cache_read_audio: 200,
      cache_read_image: 300,
      audio_in: 100,
      image_in: 100,
    })
  })

  it('keep writes apart by their lifetime', () => {
    const details = { cached_tokens: 100, cache_write_tokens: 500, cache_write_tokens_details: { ttl_12h_tokens: 200 } }
    const usage = usageFromResponse({ usage: { input_tokens: 1000, output_tokens: 1, input_tokens_details: details } })
    expect(usage).toMatchObject({ text_in: 400, cache_read: 100, cache_write: 300, cache_write_1h: 200 })
  })

  it('have the video of Gemini’s prompts apart from their text, up to what was not read from a cache', () => {
    const details = [
      { modality: 'TEXT', tokenCount: 100 },
      { modality: 'VIDEO', tokenCount: 800 },
      { modality: 'AUDIO', tokenCount: 100 },
    ]
    const raw = { promptTokenCount: 1000, candidatesTokenCount: 5, promptTokensDetails: details }
    expect(usageFromGemini(raw)).toMatchObject({ text_in: 100, video_in: 800, audio_in: 100, prompt_tokens: 1000 })
    expect(usageFromGemini({ ...raw, cachedContentTokenCount: 600 })).toMatchObject({
      text_in: 0,
      cache_read: 600,
      video_in: 300,
      audio_in: 100,
    })
  })
})
