/** A price of a completion token relative to a prompt token, by model name. The first that applies is used where no entry states one. */
type Rule = { readonly applies: (name: string) => boolean; readonly ratio: number }

const is =
  (...names: string[]) =>
  (name: string) =>
    names.includes(name)
const starts =
  (...heads: string[]) =>
  (name: string) =>
    heads.some((head) => name.startsWith(head))
const contains =
  (...parts: string[]) =>
  (name: string) =>
    parts.some((part) => name.includes(part))
const isPlainGpt4 = (name: string) => !name.endsWith('-all') && !name.startsWith('gpt-4-gizmo') && !name.startsWith('gpt-4o-gizmo')

const RULES: readonly Rule[] = [
  { applies: is('gpt-4o-2024-05-13'), ratio: 3 },
  { applies: (name) => name.startsWith('gpt-4o') && isPlainGpt4(name), ratio: 4 },
  { applies: starts('gpt-4.5-preview'), ratio: 2 },
  {
    applies: (name) => name.startsWith('gpt-4-turbo') || name.endsWith('gpt-4-1106') || name.endsWith('gpt-4-1105'),
    ratio: 3,
  },
  { applies: (name) => name.startsWith('gpt-4') && isPlainGpt4(name), ratio: 2 },
  { applies: starts('gpt-5.4-nano'), ratio: 6.25 },
  { applies: starts('gpt-5.'), ratio: 6 },
  { applies: starts('gpt-5'), ratio: 8 },
  { applies: starts('o1', 'o3'), ratio: 4 },
  { applies: is('chatgpt-4o-latest'), ratio: 3 },
  { applies: contains('claude-instant-1', 'claude-2'), ratio: 3 },
  { applies: contains('claude-3', 'claude-sonnet-4', 'claude-opus-4'), ratio: 5 },
  { applies: contains('claude-haiku-4'), ratio: 5 },
  { applies: (name) => name === 'gpt-3.5-turbo' || (name.startsWith('gpt-3.5') && name.endsWith('0125')), ratio: 3 },
  { applies: (name) => name.startsWith('gpt-3.5') && name.endsWith('1106'), ratio: 2 },
  { applies: starts('gpt-3.5'), ratio: 4 / 3 },
  { applies: starts('mistral-'), ratio: 3 },
  { applies: starts('gemini-1.5', 'gemini-2.0'), ratio: 4 },
  { applies: starts('gemini-2.5-pro-preview'), ratio: 8 },
  { applies: (name) => name.startsWith('gemini-2.5-flash-preview') && name.endsWith('-nothinking'), ratio: 4 },
  { applies: starts('gemini-2.5-flash-preview'), ratio: 3.5 / 0.6 },
  { applies: starts('gemini-2.5-pro'), ratio: 8 },
  { applies: starts('gemini-2.5-flash-lite'), ratio: 4 },
  { applies: starts('gemini-2.5-flash', 'gemini-robotics-er-1.5'), ratio: 2.5 / 0.3 },
  { applies: starts('gemini-3-pro'), ratio: 6 },
  { applies: starts('gemini-'), ratio: 4 },
  { applies: is('command-r'), ratio: 3 },
  { applies: is('command-r-plus'), ratio: 5 },
  { applies: is('command-r-08-2024', 'command-r-plus-08-2024'), ratio: 4 },
  { applies: starts('command'), ratio: 4 },
  { applies: (name) => ['deepseek-chat', 'deepseek-reasoner'].includes(name.toLowerCase()), ratio: 4 },
  { applies: starts('ERNIE-Speed-', 'ERNIE-Lite-', 'ERNIE-Character', 'ERNIE-Functions'), ratio: 2 },
  { applies: is('llama2-70b-4096'), ratio: 0.8 / 0.64 },
  { applies: is('llama3-8b-8192'), ratio: 2 },
  { applies: is('llama3-70b-8192'), ratio: 0.79 / 0.59 },
]

/** The completion ratio of a model: the operator's entry, else that of a rule by name, else 1. */
export function completionRatioOf(model: string, typed: number | undefined): number {
  return typed ?? RULES.find((rule) => rule.applies(model))?.ratio ?? 1
}
