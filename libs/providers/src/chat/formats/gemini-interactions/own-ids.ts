import type { AnswerInput } from '../../codec.ts'
import { idBase } from '../openai-responses/own-ids.ts'

const PREFIX = 'int_'

/** The id of an interaction that this gateway answers, made from its request id. */
export const toInteractionId = (input: Pick<AnswerInput, 'id'>): string => PREFIX + idBase(input)

export const isInteractionId = (id: string): boolean => id.startsWith(PREFIX)
