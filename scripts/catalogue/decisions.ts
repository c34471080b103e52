import type { Decision } from '../../libs/domain/src/model-catalogue/merge.ts'

/** A person's decisions where the sources differ or a price looks wrong. */
export const decisions: readonly Decision[] = [
  {
    model: 'gpt-4o-transcribe',
    take: 'genai-prices',
    reason: 'the vendor prices audio apart from text: https://platform.openai.com/docs/pricing#audio-tokens',
  },
  {
    model: 'gpt-4o-transcribe-diarize',
    take: 'genai-prices',
    reason: 'the vendor prices audio apart from text: https://platform.openai.com/docs/pricing#audio-tokens',
  },
  {
    model: 'gpt-4o-mini-transcribe',
    take: 'genai-prices',
    reason: 'the vendor prices audio apart from text: https://platform.openai.com/docs/pricing#audio-tokens',
  },
  {
    model: 'gpt-4o-mini-tts',
    take: 'litellm',
    reason: 'its output is audio, which both price alike; the other source has no line for audio',
  },
  { model: 'gpt-4-32k', take: 'genai-prices', reason: 'retired; the vendor’s price of its last day' },
  { model: 'gpt-4.5-preview', take: 'genai-prices', reason: 'retired; the vendor’s price of its last day' },
  { model: 'o1-pro', take: 'litellm', reason: 'both sources state 150 and 600' },
  { model: 'o1-pro-2025-03-19', take: 'litellm', reason: 'both sources state 150 and 600' },
  { model: 'grok-code-fast', take: 'litellm', reason: 'read from the maker’s own list of models; the other source has the price of 2025' },
  {
    model: 'grok-code-fast-1',
    take: 'litellm',
    reason: 'read from the maker’s own list of models; the other source has the price of 2025',
  },
  {
    model: 'grok-code-fast-1-0825',
    take: 'litellm',
    reason: 'read from the maker’s own list of models; the other source has the price of 2025',
  },
  { model: 'mistral-large-latest', take: 'litellm', reason: 'the alias serves Mistral Large 3; the other source has the price of Large 2' },
  { model: 'mistral-medium', take: 'litellm', reason: 'the alias serves Mistral Medium 3.5; the other source has the price of Medium 3' },
  { model: 'open-mistral-nemo', take: 'litellm', reason: 'sources differ, so the dearer: a charge is never below cost' },
  { model: 'deepseek-chat', take: 'litellm', reason: 'retired on 24 July 2026; the price of its last day' },
  { model: 'deepseek-reasoner', take: 'litellm', reason: 'retired on 24 July 2026; the price of its last day' },
  { model: 'deepseek-v3.2', take: 'litellm', reason: 'the other source has the price of resellers' },
]
