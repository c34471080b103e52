import type { Warnings } from '../warnings.ts'
import type { ChatRequest, Message, OutputFormat } from './request.ts'

/** The warning about a format that goes as words. */
export const TOLD_FORMAT = 'response_format: sent as an instruction'

/**
 * The request with its answer format as an instruction, for models that have no field for it: the last of the system messages at the
 * beginning. The same object if there is no such format.
 */
export function withFormatInstruction(request: ChatRequest, warnings: Warnings | Set<string>): ChatRequest {
  const { format, messages } = request
  if (format === undefined || format.kind === 'text') return request
  warnings.add(TOLD_FORMAT)
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  const at = first === -1 ? messages.length : first
  const instruction: Message = { role: 'system', parts: [{ kind: 'text', text: instructionOf(format) }] }
  const { format: _format, ...rest } = request
  return { ...rest, messages: [...messages.slice(0, at), instruction, ...messages.slice(at)] }
}

/** The words that ask a model for an answer in this format. */
export function instructionOf(format: Exclude<OutputFormat, { kind: 'text' }>): string {
  if (format.kind === 'json') return 'Your final answer is a single JSON object and nothing else: no explanation and no code fence.'
  const about = format.description === undefined ? '' : `${format.description}\n\n`
  const asked =
    'Your final answer is a single JSON value that is valid against this JSON Schema, and nothing else: no explanation and no code fence.'
  return `${asked}\n\n${about}${JSON.stringify(format.schema)}`
}
