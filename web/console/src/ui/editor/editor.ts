export type Syntax = 'json' | 'markdown' | 'plain'

/** A fault of a text and its place; lines and columns count from 1. */
export type EditorProblem = { readonly line: number; readonly column?: number; readonly message: string }

export type EditorProps = {
  readonly syntax: Syntax
  readonly value: string
  readonly onValue: (value: string) => void
  /** Its name where no label element names it. */
  readonly label: string
  readonly labelId: string | undefined
  readonly describedBy: string | undefined
  readonly isInvalid: boolean
  readonly placeholder: string | undefined
  /** Lines that are shown of a short and of a long text. */
  readonly lines: { readonly min: number; readonly max: number }
  readonly problemsOf: ((text: string) => readonly EditorProblem[]) | undefined
  /** The editor's own texts in the reader's language. */
  readonly phrases: Readonly<Record<string, string>>
  /** Selection of the reader while typing before the editor was loaded. */
  readonly selection: { readonly current: TextSelection | undefined }
}

/** Offsets in the text; equal where only the caret is shown. */
export type TextSelection = { readonly anchor: number; readonly head: number }
