import type { SystemStyleObject } from '@chakra-ui/react'
import type { EditorProps } from './editor.ts'

const LINE_REM = 1.25

/** The look of a text box around CodeMirror's own elements. */
export const editorCss = ({ lines }: Pick<EditorProps, 'lines'>): SystemStyleObject => ({
  '& .cm-editor': {
    bg: 'panel',
    color: 'text.strong',
    borderWidth: '1px',
    borderColor: 'border.control',
    borderRadius: 'control',
    overflow: 'hidden',
    textStyle: 'xs',
  },
  '&[data-invalid] .cm-editor': { borderColor: 'danger.solid' },
  '& .cm-editor.cm-focused': { outlineWidth: '2px', outlineStyle: 'solid', outlineColor: 'accent.focusRing', outlineOffset: '-1px' },
  '& .cm-scroller': {
    fontFamily: 'mono',
    lineHeight: `${LINE_REM}rem`,
    overflow: 'auto',
    minH: `${lines.min * LINE_REM + 0.75}rem`,
    maxH: `${lines.max * LINE_REM + 0.75}rem`,
  },
  '& .cm-content': { py: '1.5', caretColor: '{colors.text.strong}' },
  '& .cm-line': { px: '2' },
  '& .cm-gutters': { bg: 'subtle', color: 'text.muted', borderInlineEndWidth: '1px', borderColor: 'border' },
  '& .cm-activeLine': { bg: 'transparent' },
  '& .cm-focused .cm-activeLine': { bg: 'subtle' },
  '& .cm-activeLineGutter': { bg: 'emphasized', color: 'text' },
  '& .cm-placeholder': { color: 'text.muted' },
  '& .cm-matchingBracket, & .cm-focused .cm-matchingBracket': { bg: 'accent.subtle', color: 'accent.fg' },
  '& .cm-selectionMatch': { bg: 'accent.subtle' },
  '& .cm-searchMatch': { bg: 'warning.subtle' },
  '& .cm-searchMatch-selected': { bg: 'warning.border' },
  '& .cm-panels': { bg: 'subtle', color: 'text', borderColor: 'border' },
  '& .cm-panels-top': { borderBottomWidth: '1px', borderColor: 'border' },
  '& .cm-panel.cm-search': { fontFamily: 'body', pe: '8' },
  '& .cm-panel.cm-search input, & .cm-panel.cm-search button, & .cm-panel.cm-search label': { textStyle: 'xs', fontSize: 'xs' },
  '& .cm-textfield': { bg: 'panel', color: 'text.strong', borderColor: 'border.control', borderRadius: 'sm' },
  '& .cm-button': { bg: 'panel', bgImage: 'none', color: 'text.strong', borderColor: 'border.strong', borderRadius: 'sm' },
  '& .cm-panel button[name=close]': { color: 'text' },
  '& .cm-tooltip': { bg: 'raised', color: 'text', borderColor: 'border', borderRadius: 'control', boxShadow: 'raised', fontFamily: 'body' },
  '& .cm-diagnostic-error': { borderColor: 'danger.solid' },
})
