import type { Effort, ChatRequest, Thinking } from '../../request.ts'
import type { JsonObject } from '../../../json.ts'
import type { ModelAbilities } from './models.ts'

export type ThinkingSettings = {
  /** The `thinking` field; absent: it is not sent. */
  readonly thinking?: JsonObject
  readonly effort?: string
  readonly max_tokens: number
  readonly warnings: readonly string[]
}

/** Budget in tokens by effort. The vendor's minimum is 1024. */
const BUDGETS: Readonly<Record<Exclude<Effort, 'none'>, number>> = {
  minimal: 1024,
  low: 1280,
  medium: 2048,
  high: 4096,
  xhigh: 8192,
  max: 16_384,
}
const MIN_BUDGET = 1024

/**
 * Chooses how to request thinking: by budget, by effort, or not at all if the model or the request forbids it. Thinking excludes a forced
 * tool; manual thinking excludes a running tool call without its thinking blocks:
 * https://platform.claude.com/docs/en/build-with-claude/extended-thinking#extended-thinking-with-tool-use
 */
export function chooseThinking(
  request: ChatRequest,
  abilities: ModelAbilities,
  max_tokens: number,
  isLoopUnsigned: boolean,
): ThinkingSettings {
  const { thinking, tool_choice } = request
  if (thinking === undefined) return { max_tokens, warnings: [] }
  if (thinking.mode === 'off' || thinking.effort === 'none') return thinkingOff(abilities, max_tokens)
  if (abilities.thinking === 'none') return { max_tokens, warnings: ['thinking'] }
  const isForced =
    tool_choice?.kind === 'required' ||
    tool_choice?.kind === 'tool' ||
    tool_choice?.kind === 'hosted' ||
    (tool_choice?.kind === 'allowed' && tool_choice.mode === 'required')
  const isManual =
    abilities.thinking === 'manual' || (abilities.thinking === 'both' && thinking.mode === 'on' && thinking.budget !== undefined)
  if (isForced || (isManual && isLoopUnsigned)) {
    const off = thinkingOff(abilities, max_tokens)
    return { ...off, warnings: [...new Set([...off.warnings, 'thinking'])] }
  }
  return isManual ? manualThinking(thinking, max_tokens) : adaptiveThinking(thinking, abilities, max_tokens)
}

type RequestedThinking = Exclude<Thinking, { readonly mode: 'off' }>

function thinkingOff({ off }: ModelAbilities, max_tokens: number): ThinkingSettings {
  if (off === 'default') return { max_tokens, warnings: [] }
  if (off === 'never') return { max_tokens, warnings: ['thinking_off'] }
  return { thinking: { type: off }, max_tokens, warnings: off === 'between_tools' ? ['thinking_off'] : [] }
}

/** The limit includes thinking tokens, so it is raised if they would leave no room for an answer. */
function manualThinking({ budget, effort }: RequestedThinking, max_tokens: number): ThinkingSettings {
  const budget_tokens = Math.max(MIN_BUDGET, budget ?? BUDGETS[effort === undefined || effort === 'none' ? 'medium' : effort])
  const limit = max_tokens > budget_tokens ? max_tokens : max_tokens + budget_tokens
  return { thinking: { type: 'enabled', budget_tokens }, max_tokens: limit, warnings: [] }
}

/** Newer models hide their thinking by default. */
function adaptiveThinking(asked: RequestedThinking, abilities: ModelAbilities, max_tokens: number): ThinkingSettings {
  const { budget, effort, is_shown } = asked
  const wanted = effort ?? (budget === undefined ? undefined : effortOfBudget(budget))
  const said = wanted === undefined ? undefined : toEffort(wanted, abilities)
  const isLowered = wanted !== undefined && wanted !== 'minimal' && said !== wanted
  const display = is_shown === false ? 'omitted' : abilities.thinking === 'adaptive' || is_shown === true ? 'summarized' : undefined
  return {
    thinking: { type: 'adaptive', ...(display === undefined ? {} : { display }) },
    ...(said === undefined ? {} : { effort: said }),
    max_tokens,
    warnings: [...(budget === undefined ? [] : ['thinking_budget']), ...(isLowered ? ['reasoning_effort'] : [])],
  }
}

function effortOfBudget(budget: number): Effort {
  if (budget < BUDGETS.medium) return 'low'
  return budget < BUDGETS.high ? 'medium' : 'high'
}

function toEffort(effort: Effort, { effort: highest }: ModelAbilities): string | undefined {
  if (highest === undefined) return undefined
  if (effort === 'minimal' || effort === 'none') return 'low'
  if (effort === 'xhigh') return highest === 'xhigh' ? 'xhigh' : 'high'
  return effort === 'max' && highest === 'high' ? 'high' : effort
}
