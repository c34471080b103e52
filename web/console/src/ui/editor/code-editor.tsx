import { chakra, Textarea, useFieldContext } from '@chakra-ui/react'
import { lazy, startTransition, Suspense, useEffect, useRef, useState, type ReactNode, type RefObject, type SyntheticEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { EditorProblem, EditorProps, Syntax, TextSelection } from './editor.ts'

const Editor = lazy(async () => ({ default: (await import('./code-mirror.tsx')).CodeMirror }))

export type CodeEditorProps = {
  /** Its name for screen readers where no field around it has a label. */
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly syntax?: Syntax
  readonly placeholder?: string | undefined
  readonly problemsOf?: ((text: string) => readonly EditorProblem[]) | undefined
  readonly lines?: EditorProps['lines']
}

const FEW_TO_MANY = { min: 4, max: 18 } as const

/** An editor with line numbers, colours and problems at their line. A text box until it was in view and is loaded, and where nothing is laid out. */
export function CodeEditor({ label, value, onValue, syntax = 'plain', placeholder, problemsOf, lines = FEW_TO_MANY }: CodeEditorProps) {
  const phrases = useEditorPhrases()
  const field: Partial<ReturnType<typeof useFieldContext>> | undefined = useFieldContext()
  const selection = useRef<TextSelection>(undefined)
  const box = useRef<HTMLDivElement>(null)
  const isWanted = useSeen(box)
  const track = (event: SyntheticEvent<HTMLTextAreaElement>): void => {
    const { selectionStart, selectionEnd } = event.currentTarget
    selection.current = { anchor: selectionStart, head: selectionEnd }
  }
  const plain: ReactNode = (
    <Textarea
      {...(field === undefined ? { 'aria-label': label } : {})}
      value={value}
      onChange={(event) => onValue(event.target.value)}
      onSelect={track}
      onFocus={track}
      onBlur={() => (selection.current = undefined)}
      rows={Math.min(lines.max, Math.max(lines.min, value.split('\n').length))}
      fontFamily="mono"
      textStyle="xs"
      spellCheck={false}
      {...(placeholder === undefined ? {} : { placeholder })}
    />
  )
  // The editor measures its lines; a document without a layout has nothing to measure.
  if (document.documentElement.clientWidth === 0) return plain
  const editor = (
    <Editor
      {...{ syntax, value, onValue, label, lines, problemsOf, phrases, placeholder, selection }}
      labelId={field?.ids?.label}
      describedBy={field?.ariaDescribedby}
      isInvalid={field?.invalid === true}
    />
  )
  return (
    <chakra.div ref={box} w="full" minW="0">
      <Suspense fallback={plain}>{isWanted ? editor : plain}</Suspense>
    </chakra.div>
  )
}

/** True if the element has been in view. A transition: what is shown stays until the rest is loaded. */
function useSeen(box: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (box.current === null) return undefined
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) startTransition(() => setSeen(true))
    })
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [box])
  return isSeen
}

/** The texts of the search and problem panels, by the words that CodeMirror uses itself. */
function useEditorPhrases(): Readonly<Record<string, string>> {
  const { t } = useTranslation('display')
  return {
    Find: t('editor.find'),
    Replace: t('editor.replace-with'),
    next: t('editor.next'),
    previous: t('editor.previous'),
    all: t('editor.all'),
    'match case': t('editor.match-case'),
    regexp: t('editor.regexp'),
    'by word': t('editor.by-word'),
    replace: t('editor.replace'),
    'replace all': t('editor.replace-all'),
    close: t('action.close'),
    'Go to line': t('editor.go-to-line'),
    go: t('editor.go'),
    Diagnostics: t('editor.problems'),
    'No diagnostics': t('editor.no-problems'),
  }
}
