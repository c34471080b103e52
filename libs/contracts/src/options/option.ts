import type { z } from 'zod'
import type { ErrorCode } from '../errors.ts'

/** A decoded option text, or the reason why it was refused. */
export type Decoded<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly params: Readonly<Record<string, string | number>> }

export type OptionKind = 'flag' | 'int' | 'number' | 'text' | 'url' | 'csv' | 'lines' | 'choice' | 'json'
export type Reader = 'relay' | 'control-plane' | 'worker'

/** Why an option has no effect: it is kept for old consoles, or concerns answers, which are not searched. */
export const NO_EFFECTS = ['old-consoles', 'prompts-only'] as const
export type NoEffect = (typeof NO_EFFECTS)[number]

type Attributes = {
  /** Never leaves the server and is sealed at rest; a blank value in a form means unchanged. */
  readonly secret?: boolean
  /** Services that read it besides the control plane; `relay` puts it into the snapshot. */
  readonly readBy?: readonly Reader[]
  /** Its name in the site status; options without it are not published. */
  readonly publicAs?: string
  /** Relays read this option as prices or groups, not as an option. */
  readonly snapshotAs?: 'prices' | 'groups'
  readonly unit?: string
  /** It does nothing here, and why: it is kept for consoles and scripts that read or write it. */
  readonly withoutEffect?: NoEffect
  /** Existing consoles show a refusal of its form only for another HTTP status than 200. */
  readonly isRefusedBy400?: boolean
}

/** One option, declared once; documentation, storage and the settings pages are derived from it. */
export type Option<T = unknown> = {
  readonly kind: OptionKind
  readonly default: T
  /** Stored text to value. */
  readonly decode: (text: string) => Decoded<T>
  /** Value to stored text. */
  readonly encode: (value: T) => string
  readonly isSecret: boolean
  readonly readBy: readonly Reader[]
  readonly publicAs: string | undefined
  readonly snapshotAs: 'prices' | 'groups' | undefined
  readonly unit: string | undefined
  readonly min: number | undefined
  /** The least value that can be saved; a stored one down to `min` stays in force. */
  readonly leastToSave: number | undefined
  readonly max: number | undefined
  readonly choices: readonly string[] | undefined
  readonly isRefusedBy400: boolean
  readonly withoutEffect: NoEffect | undefined
}

const ok = <T>(value: T): Decoded<T> => ({ kind: 'ok', value })
const refused = (code: ErrorCode, params: Readonly<Record<string, string | number>> = {}): Decoded<never> => ({
  kind: 'refused',
  code,
  params,
})

type Limits = { readonly min?: number; readonly leastToSave?: number; readonly max?: number; readonly choices?: readonly string[] }
type Made<T> = Pick<Option<T>, 'kind' | 'default' | 'decode' | 'encode'>

function make<T>(made: Made<T>, attributes: Attributes & Limits): Option<T> {
  return {
    ...made,
    isSecret: attributes.secret ?? false,
    readBy: attributes.readBy ?? ['control-plane'],
    publicAs: attributes.publicAs,
    snapshotAs: attributes.snapshotAs,
    unit: attributes.unit,
    min: attributes.min,
    leastToSave: attributes.leastToSave,
    max: attributes.max,
    choices: attributes.choices,
    isRefusedBy400: attributes.isRefusedBy400 ?? false,
    withoutEffect: attributes.withoutEffect,
  }
}

type NumberInput = Attributes & {
  readonly default: number
  readonly min?: number
  readonly leastToSave?: number
  readonly max?: number
  /** Reads a value below `min` as `min`. */
  readonly isClamped?: boolean
}

function decodeNumber(text: string, input: NumberInput, isWhole: boolean): Decoded<number> {
  const value = Number(text.trim())
  if (text.trim() === '' || !Number.isFinite(value)) return refused('option.number')
  if (isWhole && !Number.isSafeInteger(value)) return refused('option.integer')
  if (input.min !== undefined && value < input.min)
    return input.isClamped === true ? ok(input.min) : refused('option.min', { min: input.min })
  if (input.max !== undefined && value > input.max) return refused('option.max', { max: input.max })
  return ok(value)
}

type ListInput = Attributes & {
  readonly default: readonly string[]
  /** The rule of one entry, and the error for an entry that breaks it, with the parameter `entry`. */
  readonly entry?: { readonly matches: (entry: string) => boolean; readonly code: ErrorCode }
}

function decodeList(text: string, { entry: rule }: ListInput): Decoded<readonly string[]> {
  const entries = splitList(text, ',')
  const broken = rule === undefined ? undefined : entries.find((entry) => !rule.matches(entry))
  return rule === undefined || broken === undefined ? ok(entries) : refused(rule.code, { entry: broken })
}

type JsonInput<T> = Attributes & {
  readonly default: T
  /** Error for a text that is not JSON. */
  readonly invalid?: ErrorCode
  /** Error for a value of the wrong shape inside the JSON; its path is the parameter `name`. */
  readonly mismatch?: ErrorCode
  /** An additional rule after the schema. */
  readonly check?: (value: T) => Decoded<T>
}

/** The kinds of options. */
export const option = {
  flag: (input: Attributes & { default: boolean }): Option<boolean> =>
    make(
      {
        kind: 'flag',
        default: input.default,
        decode: (text) => (text === 'true' || text === 'false' ? ok(text === 'true') : refused('option.flag')),
        encode: String,
      },
      input,
    ),
  int: (input: NumberInput): Option<number> =>
    make({ kind: 'int', default: input.default, decode: (text) => decodeNumber(text, input, true), encode: String }, input),
  number: (input: NumberInput): Option<number> =>
    make({ kind: 'number', default: input.default, decode: (text) => decodeNumber(text, input, false), encode: String }, input),
  text: (input: Attributes & { default: string; check?: (text: string) => Decoded<string> }): Option<string> =>
    make({ kind: 'text', default: input.default, decode: input.check ?? ok, encode: (value) => value }, input),
  url: (input: Attributes & { default: string; keepsSlash?: boolean }): Option<string> =>
    make(
      { kind: 'url', default: input.default, decode: (text) => decodeUrl(text, input.keepsSlash ?? false), encode: (value) => value },
      input,
    ),
  csv: (input: ListInput): Option<readonly string[]> =>
    make({ kind: 'csv', default: input.default, decode: (text) => decodeList(text, input), encode: (value) => value.join(',') }, input),
  lines: (input: Attributes & { default: readonly string[] }): Option<readonly string[]> =>
    make(
      { kind: 'lines', default: input.default, decode: (text) => ok(splitList(text, '\n')), encode: (value) => value.join('\n') },
      input,
    ),
  choice: <const C extends string>(choices: readonly [C, ...C[]], input: Attributes & { default: NoInfer<C> }): Option<C> =>
    make(
      {
        kind: 'choice',
        default: input.default,
        decode: (text) => {
          const found = choices.find((choice) => choice === text)
          return found === undefined ? refused('option.choice', { choices: choices.join(', ') }) : ok(found)
        },
        encode: (value) => value,
      },
      { ...input, choices },
    ),
  json: <T>(schema: z.ZodType<T>, input: JsonInput<T>): Option<T> =>
    make(
      {
        kind: 'json',
        default: input.default,
        decode: (text) => decodeJson(text, schema, input),
        encode: (value) => JSON.stringify(value, null, 2),
      },
      input,
    ),
}

function decodeUrl(text: string, keepsSlash: boolean): Decoded<string> {
  const trimmed = keepsSlash ? text.trim() : text.trim().replace(/\/+$/, '')
  if (trimmed === '') return ok('')
  return /^https?:\/\//i.test(trimmed) && URL.canParse(trimmed) ? ok(trimmed) : refused('option.url')
}

function splitList(text: string, separator: string): readonly string[] {
  const parts = text.split(separator).map((part) => part.trim())
  return [...new Set(parts.filter((part) => part !== ''))]
}

function decodeJson<T>(text: string, schema: z.ZodType<T>, input: JsonInput<T>): Decoded<T> {
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch {
    // The parser's message would not help an operator.
    return refused(input.invalid ?? 'option.json')
  }
  const parsed = schema.safeParse(raw)
  if (parsed.success) return input.check?.(parsed.data) ?? ok(parsed.data)
  const [issue] = parsed.error.issues
  if (input.mismatch !== undefined && issue !== undefined && issue.path.length > 0) {
    return refused(input.mismatch, { name: issue.path.map(String).join('.') })
  }
  return refused('option.shape', { detail: issue?.path.map(String).join('.') || 'JSON' })
}
