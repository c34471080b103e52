import { z } from 'zod'
import { textOf } from '../app-error.ts'
import { errors, type ErrorCode } from '../errors.ts'

/** A problem of a channel, in our own words. It is stored instead of a text, because readers have different languages. */
export const Fault = z.object({
  code: z.custom<ErrorCode>((value) => typeof value === 'string' && Object.hasOwn(errors, value)),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
})
export type Fault = z.infer<typeof Fault>

/** A `fault` of a stored or sent record; one that another version wrote is left out. */
export const optionalFault = Fault.optional().catch(undefined)

/** The message of a fault for programs and logs, with the fault. */
export function fromFault(code: ErrorCode, params: NonNullable<Fault['params']> = {}): { readonly message: string; readonly fault: Fault } {
  return { message: textOf(code, 'en', params), fault: { code, params } }
}

type Faulty = { readonly message: string; readonly fault?: Fault | undefined }

/** The same for a reader: a vendor's message as it is, one of ours in the reader's language. */
export function inLanguage<T extends Faulty>({ fault, ...rest }: T, language: 'zh' | 'en'): Omit<T, 'fault'> {
  return fault === undefined ? rest : { ...rest, message: textOf(fault.code, language, fault.params) }
}
