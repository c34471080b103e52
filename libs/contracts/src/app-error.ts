import { errors, type ErrorCode } from './errors.ts'

type Params = Readonly<Record<string, string | number>>

/**
 * The one exception class for what a caller can meet. The table says status, blame and both texts; params fill `{name}` holes.
 * Never put keys, prompts or tokens into params.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly params: Params

  constructor(code: ErrorCode, params: Params = {}, options?: { cause?: unknown }) {
    super(textOf(code, 'en', params), options)
    this.name = 'AppError'
    this.code = code
    this.params = params
  }

  get status(): number {
    return errors[this.code].status
  }

  /** The text for a person, in their language. */
  text(language: 'zh' | 'en'): string {
    return textOf(this.code, language, this.params)
  }
}

/** Fills the holes of an error's text. Unknown holes stay visible. */
export function textOf(code: ErrorCode, language: 'zh' | 'en', params: Params = {}): string {
  return errors[code][language].replaceAll(/\{(\w+)\}/g, (hole, name: string) => String(params[name] ?? hole))
}
