import type { ToolResultPart } from './request.ts'

const MARK = 'Error: '

/**
 * The content of a tool result for a format without a flag for failures: the text says so itself, unless it does already. The model would
 * take the message of a failed call for its result otherwise.
 */
export function contentWithFailure({ content, is_error }: ToolResultPart): ToolResultPart['content'] {
  if (is_error !== true) return content
  const at = content.findIndex((part) => part.kind === 'text')
  if (at === -1) return [{ kind: 'text', text: MARK.trim() }, ...content]
  return content.map((part, index) =>
    index === at && part.kind === 'text' && !/^\W*error\b/i.test(part.text) ? { ...part, text: `${MARK}${part.text}` } : part,
  )
}
