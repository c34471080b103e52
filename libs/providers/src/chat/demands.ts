import { holdsChoices } from './choices.ts'
import type { VendorTraits } from './codec.ts'
import type { ChatRequest, HostedTool, Tool } from './request.ts'
import type { Warnings } from '../warnings.ts'

/** Something that only some vendors can do: a tool that they run, state that they keep, several answers. */
export type Demand = {
  /** The field of the body that says so. */
  readonly path: string
  /** The client's name for it. */
  readonly name: string
  /** The counterpart of other formats; absent: only the client's own format has it. */
  readonly ability?: HostedTool | 'choices' | 'threads'
  /** Agents send it with every request and work without it: it is left out where the vendor does not have it. */
  readonly isOptional?: true
  /** The request offers functions too, which some models do not combine with their vendor's tools. */
  readonly isBesideFunctions?: true
  /** The error if no vendor has it; absent: the field is refused. */
  readonly refusal?: 'thread.unsupported'
}

/** Which tools a vendor runs for converted requests. The first entry that fits format and model decides. */
export type HostedTools = {
  readonly format: string
  readonly models?: RegExp
  readonly tools: readonly HostedTool[]
  /** These models do not combine them with functions. */
  readonly isAlone?: true
}

type Target = { readonly format: string; readonly model: string; readonly traits: VendorTraits | undefined }

/** `choices`: several answers to one request. `threads`: the vendor keeps the conversation, which others of its format do not. */
function isHosted(
  { ability: tool, isBesideFunctions }: Pick<Demand, 'ability' | 'isBesideFunctions'>,
  { format, model, traits }: Target,
): boolean {
  if (tool === undefined) return false
  if (tool === 'threads') return format === 'anthropic-messages' && traits?.keeps_threads === true
  if (tool === 'choices') return holdsChoices(format)
  const found = traits?.hosted_tools?.find((one) => one.format === format && one.models?.test(model) !== false)
  return found?.tools.includes(tool) === true && !(found.isAlone === true && isBesideFunctions === true)
}

type Serving = Omit<Target, 'format'> & {
  /** The client's format, in which the body passes as it is. */
  readonly own: string
  /** Fields of OpenAI's chat that the vendor refuses. */
  readonly drops?: readonly string[] | undefined
}

/** The formats of a vendor in which it does everything that the request demands. */
export function formatsMeeting<F extends string>(
  demands: readonly Demand[] | undefined,
  formats: readonly F[],
  { own, model, traits, drops = [] }: Serving,
): readonly F[] {
  const required = demands?.filter(({ isOptional }) => isOptional !== true) ?? []
  if (required.length === 0) return formats
  const isMet = (demand: Demand, format: F) =>
    !(demand.ability === 'choices' && format === 'openai-chat' && drops.includes('n')) &&
    ((format === own && demand.ability !== 'threads') || isHosted(demand, { format, model, traits }))
  return formats.filter((format) => required.every((demand) => isMet(demand, format)))
}

/** The request without tools that the vendor does not run; the same object if there are none. */
export function withHostedTools(request: ChatRequest, target: Target, warnings: Warnings): ChatRequest {
  const isBesideFunctions = request.tools.some(({ kind }) => kind === 'function')
  const isLeftOut = (tool: Tool) => {
    if (tool.kind !== 'web-search' && tool.kind !== 'code-execution') return false
    return !isHosted({ ability: tool.kind, ...(isBesideFunctions ? { isBesideFunctions } : {}) }, target)
  }
  const left = request.tools.filter(isLeftOut)
  if (left.length === 0) return request
  for (const { kind } of left) warnings.add(`tool ${kind}: left out`)
  return { ...request, tools: request.tools.filter((tool) => !left.includes(tool)) }
}
