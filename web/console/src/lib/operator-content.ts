/** The operator's content of a page: nothing, the address of a page to frame, or Markdown with HTML. */
export type OperatorContent =
  | { readonly kind: 'none' }
  | { readonly kind: 'frame'; readonly address: string }
  | { readonly kind: 'markup'; readonly text: string }

export function readOperatorContent(text: string): OperatorContent {
  const trimmed = text.trim()
  if (trimmed === '') return { kind: 'none' }
  return isHttpsAddress(trimmed) ? { kind: 'frame', address: trimmed } : { kind: 'markup', text }
}

function isHttpsAddress(text: string): boolean {
  return text.startsWith('https://') && !/\s/.test(text) && URL.canParse(text)
}
