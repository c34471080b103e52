/**
 * Options of a request body that change what the vendor charges. A channel passes one only if its `setting` has the switch, and then the
 * price is multiplied by the model's factor for the value (option TierRatio).
 */
export const PRICED_OPTIONS = {
  /** Processing tiers of OpenAI, Gemini and others: `priority`, `flex`. */
  service_tier: { setting: 'allow_service_tier', isHint: true },
  /** Anthropic's fast mode. */
  speed: { setting: 'allow_speed', isHint: true },
  /** Where Anthropic computes the answer. */
  inference_geo: { setting: 'allow_inference_geo', isHint: false },
  /** OpenRouter's list of models to fall back to, each with its own price. */
  models: { setting: 'allow_models', isHint: false },
  /** Models that Anthropic falls back to, each with its own price; the asked model answers without them. */
  fallbacks: { setting: 'allow_fallbacks', isHint: true },
} as const
export type PricedOption = keyof typeof PRICED_OPTIONS

/** True if a vendor answers without the option as well, only slower or later: then it is removed, not refused. */
export const isHint = (option: PricedOption): boolean => PRICED_OPTIONS[option].isHint

export function allowsOption({ setting }: { readonly setting: Readonly<Record<string, unknown>> }, option: PricedOption): boolean {
  return setting[PRICED_OPTIONS[option].setting] === true
}
