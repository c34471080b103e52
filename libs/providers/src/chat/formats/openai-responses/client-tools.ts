import { argumentsText } from '../../call-arguments.ts'
import type { FunctionTool } from '../../request.ts'
import { isObject, listAt, objectAt, textAt, type JsonObject } from '../../../json.ts'

/** A tool that OpenAI defines and the client runs: other vendors get it as a function. */
export type ClientTool = {
  /** The name of the function. */
  readonly name: string
  /** True if the client runs the tool of this declaration; absent: always. */
  readonly isRunByClient?: (tool: JsonObject) => boolean
  /** Description and schema of the function for a declaration. */
  readonly define: (tool: JsonObject) => Pick<FunctionTool, 'description' | 'schema'>
  /** Types of the items for a call and its result, and how ids of calls begin. */
  readonly call: string
  readonly output: string
  readonly idPrefix: string
  /** The call's own fields from the function's arguments, and back. */
  readonly toFields: (given: JsonObject) => JsonObject
  readonly toArguments: (call: JsonObject) => unknown
  /** The part of a result that the model reads. */
  readonly resultOf: (output: JsonObject) => unknown
}

const text = (description: string) => ({ type: 'string', description })
const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description })
const whole = (description: string) => ({ type: 'integer', description })

/** https://developers.openai.com/api/docs/guides/tools-local-shell (read 2026-11-27) */
const localShell: ClientTool = {
  name: 'local_shell',
  define: () => ({
    description: 'Runs a command on the user’s machine and returns its output.',
    schema: {
      type: 'object',
      properties: {
        command: texts('The program and its arguments.'),
        working_directory: text('The directory to run it in.'),
        env: { type: 'object', additionalProperties: { type: 'string' }, description: 'Environment variables.' },
        timeout_ms: whole('The time limit in milliseconds.'),
      },
      required: ['command'],
    },
  }),
  call: 'local_shell_call',
  output: 'local_shell_call_output',
  idPrefix: 'lsh',
  toFields: (given) => ({ action: { command: [], env: {}, ...given, type: 'exec' } }),
  toArguments: (call) => {
    const { type: _type, ...action } = objectAt(call, 'action')
    return action
  },
  resultOf: ({ output }) => output,
}

/** https://developers.openai.com/api/docs/guides/tools-shell (read 2026-11-27): OpenAI runs it if it has a container. */
const shell: ClientTool = {
  name: 'shell',
  isRunByClient: (tool) => (textAt(tool['environment'], 'type') ?? 'local') === 'local',
  define: () => ({
    description: 'Runs commands in a shell on the user’s machine and returns their output.',
    schema: {
      type: 'object',
      properties: {
        commands: texts('The commands; they can run at the same time.'),
        timeout_ms: whole('The time limit of each in milliseconds.'),
        max_output_length: whole('The most characters of output to return.'),
      },
      required: ['commands'],
    },
  }),
  call: 'shell_call',
  output: 'shell_call_output',
  idPrefix: 'sh',
  toFields: (given) => ({ action: { commands: [], timeout_ms: null, max_output_length: null, ...given } }),
  toArguments: (call) => withoutNull(objectAt(call, 'action')),
  resultOf: ({ output }) => output,
}

/** https://developers.openai.com/api/docs/guides/tools-apply-patch (read 2026-11-27) */
const applyPatch: ClientTool = {
  name: 'apply_patch',
  define: () => ({
    description:
      'Creates, updates or deletes one file. A diff has the lines of the file with a space, - or + before each, and @@ before each ' +
      'section; a created file has + before each line. No line numbers are given.',
    schema: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['create_file', 'update_file', 'delete_file'] },
        path: text('The path of the file.'),
        diff: text('The change; for create_file and update_file.'),
      },
      required: ['type', 'path'],
    },
  }),
  call: 'apply_patch_call',
  output: 'apply_patch_call_output',
  idPrefix: 'apc',
  toFields: (operation) => ({ operation }),
  toArguments: ({ operation }) => operation,
  resultOf: ({ status, output }) => [status, output].filter((part) => typeof part === 'string' && part !== '').join(': '),
}

/** https://developers.openai.com/api/docs/guides/tools-tool-search (read 2026-11-27): the declaration has description and schema. */
const toolSearch: ClientTool = {
  name: 'tool_search',
  isRunByClient: ({ execution }) => execution === 'client',
  define: ({ description, parameters }) => ({
    ...(typeof description === 'string' ? { description } : {}),
    ...(isObject(parameters) ? { schema: parameters } : {}),
  }),
  call: 'tool_search_call',
  output: 'tool_search_output',
  idPrefix: 'tsc',
  toFields: (given) => ({ execution: 'client', arguments: given }),
  toArguments: (call) => call['arguments'],
  resultOf: (output) => `Tools found: ${namesOf(output).join(', ') || 'none'}`,
}

const namesOf = (owner: JsonObject): string[] =>
  listAt(owner, 'tools')
    .flatMap((tool) => (isObject(tool) ? [textAt(tool, 'name') ?? '', ...namesOf(tool)] : []))
    .filter((name) => name !== '')

const TOOLS: ReadonlyMap<unknown, ClientTool> = new Map(
  [localShell, shell, applyPatch, toolSearch].flatMap((tool) => [
    [tool.name, tool],
    [tool.call, tool],
    [tool.output, tool],
  ]),
)

/** The tool that a declaration names, if the client runs it. */
export function clientToolOf(tool: JsonObject): ClientTool | undefined {
  const found = TOOLS.get(tool['type'])
  return found !== undefined && found.name === tool['type'] && found.isRunByClient?.(tool) !== false ? found : undefined
}

/** The function for a declaration of such a tool. */
export function functionOfClientTool(tool: JsonObject): FunctionTool | undefined {
  const known = clientToolOf(tool)
  return known === undefined ? undefined : { kind: 'function', name: known.name, ...known.define(tool) }
}

/** The tool that an item of this type calls. */
export function calledBy(type: string): ClientTool | undefined {
  const found = TOOLS.get(type)
  return found?.call === type ? found : undefined
}

/** The tool whose result an item of this type is. */
export function resultItemOf(type: string): ClientTool | undefined {
  const found = TOOLS.get(type)
  return found?.output === type ? found : undefined
}

/** Arguments of the function for a call, as JSON text. */
export const argumentsOfCall = (tool: ClientTool, item: JsonObject): string => argumentsText(tool.toArguments(item))

/** The part of a result that the model reads. */
export const textOfResult = (tool: ClientTool, item: JsonObject): string => argumentsText(tool.resultOf(item))

function withoutNull(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}
