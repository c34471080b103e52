import { z } from 'zod'

/** `postgres://…` or `postgresql://…`; several hosts, which no URL parser reads, are allowed. */
const isDatabaseUrl = (text: string): boolean => /^postgres(ql)?:\/\//.test(text)
const PROBLEM = 'must begin with postgres://'

export const databaseUrl = z.string().refine(isDatabaseUrl, PROBLEM)

export const optionalDatabaseUrl = z
  .string()
  .default('')
  .refine((text) => text === '' || isDatabaseUrl(text), PROBLEM)
