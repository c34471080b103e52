import type { PriceSnapshot } from '@tollgate/contracts/relay/snapshot'
import { endpointTypesOf } from '../display/model-facts.ts'

type Field = keyof Pick<PriceSnapshot, 'ratio' | 'completion_ratio' | 'image_completion_ratio' | 'audio_completion_ratio'>
type Ratios = { readonly [Name in Field]?: number | undefined }

/**
 * True if a price by token of a model that answers with text states no output price. A free model has none to state; an output price of
 * images or sound counts.
 */
export function lacksOutputPrice(model: string, row: Ratios): boolean {
  const { ratio = 0, completion_ratio, image_completion_ratio, audio_completion_ratio } = row
  const hasOutput = (completion_ratio ?? image_completion_ratio ?? audio_completion_ratio) !== undefined
  return ratio > 0 && !hasOutput && endpointTypesOf(bareNameOf(model)).includes('openai')
}

/** The name without the heads that vendors and resellers put before it: `openai/gpt-5`, `models/gemini-2.5-flash`. */
export const bareNameOf = (model: string): string => model.slice(model.lastIndexOf('/') + 1)
