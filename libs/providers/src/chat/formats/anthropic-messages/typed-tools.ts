import type { FunctionTool } from '../../request.ts'
import { textAt, type JsonObject } from '../../../json.ts'

type Schema = { readonly description: string; readonly properties: JsonObject; readonly required?: readonly string[] }

const text = (description: string) => ({ type: 'string', description })
const VIEW_RANGE = { type: 'array', items: { type: 'integer' }, description: 'First and last line to view; -1 is the end of the file.' }
const EDITS = {
  file_text: text('The content of the file; for create.'),
  old_str: text('The text to replace, which must occur exactly once; for str_replace.'),
  new_str: text('The replacement; for str_replace.'),
  insert_line: { type: 'integer', description: 'The line after which the text is inserted; 0 is the beginning; for insert.' },
  insert_text: text('The text to insert; for insert.'),
}

const bash: Schema = {
  description: 'Runs a command in a bash session, which keeps its state between calls.',
  properties: { command: text('The command to run.'), restart: { type: 'boolean', description: 'Restarts the session instead.' } },
}

const editor = (commands: readonly string[]): Schema => ({
  description: 'Views and edits text files: view, create, replace a text that occurs once, or insert a text.',
  properties: {
    command: { type: 'string', enum: commands },
    path: text('The absolute path of a file or a directory.'),
    view_range: VIEW_RANGE,
    ...EDITS,
  },
  required: ['command', 'path'],
})

const memory: Schema = {
  description: 'Reads and writes files below /memories, which are kept between conversations.',
  properties: {
    command: { type: 'string', enum: ['view', 'create', 'str_replace', 'insert', 'delete', 'rename'] },
    path: text('A path below /memories; for every command except rename.'),
    view_range: VIEW_RANGE,
    ...EDITS,
    old_path: text('The path to rename; for rename.'),
    new_path: text('The new path; for rename.'),
  },
  required: ['command'],
}

const EDITOR_COMMANDS = ['view', 'create', 'str_replace', 'insert']

/**
 * Tools that Anthropic defines and the client runs. Their schemas are built into Claude; other models get them as functions of the same
 * name. https://platform.claude.com/docs/en/agents-and-tools/tool-use/bash-tool · …/text-editor-tool · …/memory-tool (read 2026-11-27)
 */
const TYPED: readonly (readonly [type: RegExp, schema: Schema])[] = [
  [/^bash_\d+$/, bash],
  [/^text_editor_(?:20241022|20250124)$/, editor([...EDITOR_COMMANDS, 'undo_edit'])],
  [/^text_editor_\d+$/, editor(EDITOR_COMMANDS)],
  [/^memory_\d+$/, memory],
]

/** The function for a typed tool; undefined for other types. */
export function functionOfTyped(tool: JsonObject): FunctionTool | undefined {
  const type = textAt(tool, 'type') ?? ''
  const schema = TYPED.find(([known]) => known.test(type))?.[1]
  if (schema === undefined) return undefined
  const { description, ...rest } = schema
  return { kind: 'function', name: textAt(tool, 'name') ?? type.replace(/_\d+$/, ''), description, schema: { type: 'object', ...rest } }
}
