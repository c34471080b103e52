import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, HighlightStyle, syntaxHighlighting, type LanguageSupport } from '@codemirror/language'
import { forceLinting, linter, lintGutter, lintKeymap, type Diagnostic } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Annotation, Compartment, EditorState, type Extension } from '@codemirror/state'
import { EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers, placeholder } from '@codemirror/view'
import { chakra } from '@chakra-ui/react'
import { tags } from '@lezer/highlight'
import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react'
import type { EditorProblem, EditorProps, Syntax } from './editor.ts'
import { editorCss } from './editor-css.ts'

const LINT_DELAY_MS = 300
const fromOutside = Annotation.define<boolean>()

const grammars: Record<Exclude<Syntax, 'plain'>, () => Promise<LanguageSupport>> = {
  json: async () => (await import('@codemirror/lang-json')).json(),
  markdown: async () => (await import('@codemirror/lang-markdown')).markdown(),
}

const colour = (name: string): string => `var(--tg-colors-${name})`
const highlighting = HighlightStyle.define([
  { tag: [tags.propertyName, tags.heading, tags.tagName], color: colour('accent-fg') },
  { tag: [tags.string, tags.url, tags.attributeValue], color: colour('success-fg') },
  { tag: [tags.number, tags.link], color: colour('violet-fg') },
  { tag: [tags.bool, tags.null, tags.keyword, tags.attributeName], color: colour('orange-fg') },
  { tag: [tags.comment, tags.quote, tags.processingInstruction], color: colour('text-muted') },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.invalid, color: colour('danger-fg') },
])

/** CodeMirror with our look. Tab is left to the page, so that the keyboard gets out. */
export function CodeMirror(props: EditorProps): ReactNode {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const attributes = useRef(new Compartment())
  const live = useRef(props)
  useEffect(() => {
    live.current = props
  })
  // Before the next key: what is typed while the text box gives way must reach the editor.
  useLayoutEffect(() => {
    if (host.current === null) return undefined
    const editor = createEditor(host.current, attributes.current, live)
    view.current = editor
    return () => editor.destroy()
  }, [])
  const { value, labelId, describedBy, isInvalid, problemsOf } = props
  useEffect(() => {
    const editor = view.current
    if (editor === undefined || editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value }, annotations: fromOutside.of(true) })
  }, [value])
  useEffect(() => {
    view.current?.dispatch({ effects: attributes.current.reconfigure(contentAttributes(live.current)) })
  }, [labelId, describedBy, isInvalid])
  useEffect(() => {
    if (view.current !== undefined) forceLinting(view.current)
  }, [problemsOf])
  useEffect(() => {
    const label = labelId === undefined ? null : document.getElementById(labelId)
    const focus = (): void => view.current?.focus()
    label?.addEventListener('click', focus)
    return () => label?.removeEventListener('click', focus)
  }, [labelId])
  return <chakra.div ref={host} w="full" minW="0" css={editorCss(props)} data-invalid={isInvalid ? '' : undefined} />
}

function createEditor(parent: HTMLElement, attributes: Compartment, live: { readonly current: EditorProps }): EditorView {
  const { value, syntax, phrases, selection, ...rest } = live.current
  const grammar = new Compartment()
  const view = new EditorView({
    parent,
    doc: value,
    extensions: [
      basics(phrases),
      grammar.of([]),
      attributes.of(contentAttributes(live.current)),
      rest.placeholder === undefined ? [] : placeholder(rest.placeholder),
      linter((editor) => toDiagnostics(editor, live.current.problemsOf?.(editor.state.doc.toString()) ?? []), { delay: LINT_DELAY_MS }),
      EditorView.updateListener.of(({ docChanged, state, transactions }) => {
        const isTyped = docChanged && !transactions.some((transaction) => transaction.annotation(fromOutside) === true)
        if (isTyped) live.current.onValue(state.doc.toString())
      }),
    ],
  })
  if (syntax !== 'plain') void grammars[syntax]().then((support) => view.dispatch({ effects: grammar.reconfigure(support) }))
  if (selection.current !== undefined) {
    const { anchor, head } = selection.current
    const end = view.state.doc.length
    view.dispatch({ selection: { anchor: Math.min(anchor, end), head: Math.min(head, end) } })
    view.focus()
  }
  return view
}

const basics = (phrases: Readonly<Record<string, string>>): Extension => [
  lineNumbers(),
  lintGutter(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  history(),
  bracketMatching(),
  highlightSelectionMatches(),
  search({ top: true }),
  syntaxHighlighting(highlighting),
  EditorView.lineWrapping,
  EditorState.phrases.of({ ...phrases }),
  EditorState.tabSize.of(2),
  keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap]),
]

function contentAttributes({ labelId, label, describedBy, isInvalid }: EditorProps): Extension {
  return EditorView.contentAttributes.of({
    ...(labelId === undefined ? { 'aria-label': label } : { 'aria-labelledby': labelId }),
    ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
    ...(isInvalid ? { 'aria-invalid': 'true' } : {}),
    spellcheck: 'false',
    tabindex: '0',
  })
}

function toDiagnostics({ state: { doc } }: EditorView, problems: readonly EditorProblem[]): Diagnostic[] {
  return problems.map(({ line, column, message }) => {
    const { from, to } = doc.line(Math.max(1, Math.min(line, doc.lines)))
    const start = column === undefined ? from : Math.min(from + column - 1, to)
    return { from: start, to: Math.max(start, to), severity: 'error', message }
  })
}
