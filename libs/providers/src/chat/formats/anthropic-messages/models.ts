/**
 * Abilities of a Claude model, read from its name, because unsupported parameters are refused with 400. Thinking:
 * https://platform.claude.com/docs/en/build-with-claude/thinking#configuring-thinking · effort:
 * https://platform.claude.com/docs/en/build-with-claude/effort · structured outputs:
 * https://platform.claude.com/docs/en/build-with-claude/structured-outputs · sampling:
 * https://platform.claude.com/docs/en/about-claude/models/migration-guide · system turns:
 * https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages
 */
export type ModelAbilities = {
  /** `manual`: a budget in tokens; `adaptive`: the model decides, guided by effort. */
  readonly thinking: 'none' | 'manual' | 'adaptive' | 'both'
  /** How thinking is turned off: it is off by default, by an explicit value, only between tool calls, or never. */
  readonly off: 'default' | 'disabled' | 'between_tools' | 'never'
  /** The highest effort; absent: the model has no effort setting. */
  readonly effort?: 'high' | 'xhigh' | 'max'
  /** Temperature, top_p and top_k: all of them, only one of the first two, or none. */
  readonly sampling: 'all' | 'one' | 'none'
  /** `output_config.format`, and `strict` on tools. */
  readonly hasSchemas: boolean
  /** Messages with role `system` inside the conversation. */
  readonly hasSystemTurns: boolean
}

/** Abilities of a model by any of its names: Anthropic's own, Bedrock's, Vertex's, resellers'. Unknown models get the fewest abilities,
 * but schemas if they are Claude's: all that the vendor serves today have them. */
export function abilitiesOf(model: string): ModelAbilities {
  const version = versionOf(model)
  if (version === undefined) return { ...UNKNOWN, hasSchemas: /claude/i.test(model) }
  const { family, number } = version
  return {
    thinking: thinkingOf(family, number),
    off: offOf(family, number),
    ...effortOf(family, number),
    sampling: samplingOf(family, number),
    hasSchemas: number >= 4.5 || isMythical(family),
    hasSystemTurns: number >= 4.8 && !isOfCloud(model),
  }
}

const UNKNOWN: ModelAbilities = { thinking: 'manual', off: 'default', sampling: 'all', hasSchemas: false, hasSystemTurns: false }

type Version = { readonly family: string; readonly number: number }

/** `claude-opus-4-1-20250805`, `claude-3-7-sonnet@20250219`, `us.anthropic.claude-sonnet-4-20250514-v1:0`, `claude-opus-4.6`. */
function versionOf(model: string): Version | undefined {
  const name = model.toLowerCase()
  const later = /claude-(opus|sonnet|haiku|fable|mythos)-(\d{1,2})(?:[-.](\d{1,2})(?!\d))?/.exec(name)
  const earlier = /claude-(\d)(?:[-.](\d)(?!\d))?-?(opus|sonnet|haiku)?/.exec(name)
  if (later !== null) return { family: later[1] ?? '', number: toNumber(later[2], later[3]) }
  if (earlier !== null) return { family: earlier[3] ?? '', number: toNumber(earlier[1], earlier[2]) }
  return /claude-mythos/.test(name) ? { family: 'mythos', number: 4.6 } : undefined
}

/** Bedrock and Vertex, recognised by their spelling of names, accept system turns for some models only. */
const isOfCloud = (model: string) => model.includes('anthropic.') || model.includes('@')

const toNumber = (major: string | undefined, minor: string | undefined) => Number(major ?? 0) + Number(minor ?? 0) / 10
const isMythical = (family: string) => family === 'fable' || family === 'mythos'

function thinkingOf(family: string, number: number): ModelAbilities['thinking'] {
  if (number < 3.7) return 'none'
  if (number >= 4.7 || isMythical(family)) return 'adaptive'
  return number >= 4.6 ? 'both' : 'manual'
}

function offOf(family: string, number: number): ModelAbilities['off'] {
  if (isMythical(family)) return 'never'
  if (number < 5) return 'default'
  if (number < 5.5 || family === 'haiku') return 'disabled'
  return family === 'sonnet' ? 'between_tools' : 'never'
}

function effortOf(family: string, number: number): Pick<ModelAbilities, 'effort'> {
  if (number >= 4.7) return { effort: 'xhigh' }
  if (number >= 4.6) return { effort: 'max' }
  return family === 'opus' && number >= 4.5 ? { effort: 'high' } : {}
}

function samplingOf(family: string, number: number): ModelAbilities['sampling'] {
  if (number >= 4.7 || isMythical(family)) return 'none'
  return number >= 4.1 ? 'one' : 'all'
}
