import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { PickOption } from './pick-list.ts'

const VENDORS: readonly (readonly [RegExp, string])[] = [
  [
    /^(gpt|o\d|chatgpt|codex|dall-e|sora|text-embedding|text-(ada|babbage|curie|davinci|moderation)|davinci|babbage|whisper|tts|omni)/,
    'OpenAI',
  ],
  [/^claude/, 'Anthropic'],
  [/^(gemini|gemma|palm|imagen|veo|learnlm|aqa)/, 'Google'],
  [/^deepseek/, 'DeepSeek'],
  [/^(qwen|qwq|qvq|wan)/, 'Qwen'],
  [/^(glm|chatglm|cogview|cogvideo)/, 'Zhipu'],
  [/^(moonshot|kimi)/, 'Moonshot'],
  [/^(doubao|seed)/, 'Doubao'],
  [/^ernie/i, 'Baidu'],
  [/^hunyuan/, 'Tencent'],
  [/^spark/i, 'iFlytek'],
  [/^grok/, 'xAI'],
  [/^(mistral|mixtral|ministral|codestral|pixtral|magistral|open-mi)/, 'Mistral'],
  [/^(llama|meta-llama)/, 'Meta'],
  [/^(command|c4ai|embed-|rerank-)/, 'Cohere'],
  [/^(abab|minimax)/i, 'MiniMax'],
  [/^step-/, 'StepFun'],
  [/^yi-/, '01.AI'],
  [/^(360|semantic_)/, '360'],
  [/^jina/, 'Jina'],
  [/^sonar/, 'Perplexity'],
  [/^mj_/, 'Midjourney'],
  [/^suno_/, 'Suno'],
]

/** Whose model it is, by its name; undefined where the name says nothing. */
export function vendorOfModel(model: string): string | undefined {
  const name = model.slice(model.lastIndexOf('/') + 1)
  return VENDORS.find(([pattern]) => pattern.test(name))?.[1]
}

type ModelFacts = {
  /** True if the model has a price; without this, no model is marked. */
  readonly isPriced?: (model: string) => boolean
  /** True if a channel serves the model. */
  readonly isServed?: (model: string) => boolean
}

/** Models under their vendors, those without a price or a channel marked. */
export function useModelOptions(): (models: readonly string[], facts?: ModelFacts) => readonly PickOption[] {
  const { t } = useTranslation('display')
  return useCallback(
    (models, { isPriced, isServed } = {}) => {
      const noteOf = (model: string): PickOption['note'] => {
        if (isServed?.(model) === false) return { tone: 'grey', text: t('select.unserved') }
        return isPriced?.(model) === false ? { tone: 'orange', text: t('select.unpriced') } : undefined
      }
      return models
        .toSorted(byVendorAndName)
        .map((value) => ({ value, section: vendorOfModel(value) ?? t('select.other'), note: noteOf(value) }))
    },
    [t],
  )
}

/** Models of unknown vendors come last. */
function byVendorAndName(a: string, b: string): number {
  const [left, right] = [vendorOfModel(a) ?? '\u{10FFFF}', vendorOfModel(b) ?? '\u{10FFFF}']
  return left === right ? a.localeCompare(b, 'en', { numeric: true }) : left < right ? -1 : 1
}
