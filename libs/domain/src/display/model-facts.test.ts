import { describe, expect, it } from 'vitest'
import { endpointTypesOf, vendorOfModel } from './model-facts.ts'

const CHAT = ['openai', 'openai-response', 'anthropic', 'gemini']

describe('what the name of a model tells', () => {
  it.each([
    ['gpt-4o', 'OpenAI', CHAT],
    ['o3-mini', 'OpenAI', CHAT],
    ['text-embedding-3-small', 'OpenAI', ['embeddings']],
    ['whisper-1', 'OpenAI', ['audio-transcription']],
    ['gpt-4o-mini-transcribe', 'OpenAI', ['audio-transcription']],
    ['tts-1-hd', 'OpenAI', ['audio-speech']],
    ['gpt-4o-mini-tts', 'OpenAI', ['audio-speech']],
    ['gpt-4o-audio-preview', 'OpenAI', CHAT],
    ['gpt-4o-realtime-preview', 'OpenAI', ['realtime']],
    ['gpt-image-1', 'OpenAI', ['image-generation']],
    ['claude-sonnet-4-20250514', 'Anthropic', CHAT],
    ['gemini-2.5-pro', 'Google', CHAT],
    ['imagen-3.0-generate-002', 'Google', ['image-generation']],
    ['jina-reranker-v2', 'Jina', ['jina-rerank']],
    ['BAAI/bge-reranker-v2-m3', 'BAAI', ['jina-rerank']],
    ['grok-2-image', 'xAI', ['image-generation']],
    ['mj_imagine', 'Midjourney', []],
    ['deepseek-ai/DeepSeek-V3', 'DeepSeek', CHAT],
    ['my-own-model', undefined, CHAT],
  ])('%s', (model, vendor, endpoints) => {
    expect(vendorOfModel(model)).toBe(vendor)
    expect(endpointTypesOf(model)).toEqual(endpoints)
  })
})
