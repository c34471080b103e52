import type { ReactNode } from 'react'
import { CodeEditor, type CodeEditorProps } from './code-editor.tsx'

/** A text in Markdown, which may hold HTML. */
export function MarkdownEditor(props: Omit<CodeEditorProps, 'syntax' | 'problemsOf'>): ReactNode {
  return <CodeEditor syntax="markdown" {...props} />
}
