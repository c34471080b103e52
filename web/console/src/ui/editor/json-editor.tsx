import { useCallback, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { readJson } from '../form/json-text.ts'
import { CodeEditor, type CodeEditorProps } from './code-editor.tsx'
import type { EditorProblem } from './editor.ts'

/** A fault in the shape of valid JSON. */
export type ShapeRule = (text: string) => EditorProblem | undefined

/** A JSON text with its first mistake marked at the line: of the syntax, else of the shape. */
export function JsonEditor({
  shapeProblem,
  ...props
}: Omit<CodeEditorProps, 'syntax' | 'problemsOf'> & { readonly shapeProblem?: ShapeRule | undefined }): ReactNode {
  const syntaxProblem = useSyntaxProblem()
  const problemsOf = useCallback(
    (text: string) => {
      const problem = syntaxProblem(text) ?? shapeProblem?.(text)
      return problem === undefined ? [] : [problem]
    },
    [syntaxProblem, shapeProblem],
  )
  return <CodeEditor syntax="json" problemsOf={problemsOf} {...props} />
}

/** The first place where a text is no JSON, in the reader's language; an empty text is none. */
export function useSyntaxProblem(): (text: string) => Required<EditorProblem> | undefined {
  const { t } = useTranslation('display')
  return useCallback(
    (text) => {
      const reading = text.trim() === '' ? undefined : readJson(text)
      if (reading?.kind !== 'problem') return undefined
      const { line, column, fault } = reading.problem
      return { line, column, message: t(`json.fault.${fault}`) }
    },
    [t],
  )
}
