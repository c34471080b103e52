/**
 * Differences between generations of models, read from their names. Only documented differences that would make a request fail; names
 * without a generation count as 2.5.
 */

const NEWEST = 99

/** 1, 1.5, 2, 2.5, 3, 3.1 …; `-latest` names are the newest. */
export function generationOf(model: string): number {
  const numbered = /gemini-(\d+(?:\.\d+)?)/.exec(model)?.[1]
  if (numbered !== undefined) return Number(numbered)
  return /gemini-.*latest/.test(model) ? NEWEST : 2.5
}

/** `responseJsonSchema` and `parametersJsonSchema`: https://ai.google.dev/gemini-api/docs/structured-output */
export const takesJsonSchema = (model: string): boolean => generationOf(model) >= 2.5

/** The client's functions and the vendor's tools in one request: https://ai.google.dev/gemini-api/docs/tool-combination */
export const combinesTools = (model: string): boolean => generationOf(model) >= 3

/** Structured output together with tools: https://ai.google.dev/gemini-api/docs/gemini-3#structured_outputs_with_tools */
export const combinesFormat = (model: string): boolean => generationOf(model) >= 3

/** Images and files inside a function response: https://ai.google.dev/gemini-api/docs/function-calling#multimodal */
export const takesMediaInResults = (model: string): boolean => generationOf(model) >= 3

/** The model refuses a function call without a thought signature: https://ai.google.dev/gemini-api/docs/thought-signatures */
export const demandsSignatures = (model: string): boolean => generationOf(model) >= 3

/** How thinking is configured: by level, by budget, or not at all. https://ai.google.dev/gemini-api/docs/thinking */
export type ThinkingRule =
  | { readonly kind: 'none' }
  | { readonly kind: 'level'; readonly levels: readonly Level[] }
  | { readonly kind: 'budget'; readonly least: number; readonly most: number; readonly canStop: boolean }

export type Level = 'MINIMAL' | 'LOW' | 'MEDIUM' | 'HIGH'

const NONE = { kind: 'none' } as const

export function thinkingRuleOf(model: string): ThinkingRule {
  const generation = generationOf(model)
  if (!model.includes('gemini') || generation < 2.5 || (generation < 3 && /image|tts/.test(model))) return NONE
  if (generation >= 3) return { kind: 'level', levels: levelsOf(model) }
  if (/pro/.test(model)) return { kind: 'budget', least: 128, most: 32_768, canStop: false }
  if (/flash-lite/.test(model)) return { kind: 'budget', least: 512, most: 24_576, canStop: true }
  return { kind: 'budget', least: 0, most: 24_576, canStop: true }
}

/** https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/thinking */
function levelsOf(model: string): readonly Level[] {
  if (/flash-lite|gemini-3-flash/.test(model)) return ['MINIMAL', 'LOW', 'MEDIUM', 'HIGH']
  if (model.includes('gemini-3-pro')) return ['LOW', 'HIGH']
  return ['LOW', 'MEDIUM', 'HIGH']
}
