import type { HostedTool } from '../../request.ts'

/** The tool that other formats have too, by the name of its field. */
export function hostedToolOf(field: string): HostedTool | undefined {
  if (/^google_?search(_?retrieval)?$/i.test(field)) return 'web-search'
  return /^code_?execution$/i.test(field) ? 'code-execution' : undefined
}
