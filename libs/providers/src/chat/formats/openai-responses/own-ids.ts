import type { AnswerInput } from '../../codec.ts'

/** Ids of responses that this gateway converted are made from its request ids, so an item's id names its response and position. */
const OWN_ITEM = /^(?:msg|rs|fc|ctc|ig|item)_([0-9A-Za-z]+)_(\d+)$/

export type OwnItem = { readonly response_id: string; readonly index: number }

export const idBase = ({ id }: Pick<AnswerInput, 'id'>): string => id.replaceAll(/[^0-9A-Za-z]/g, '')

export const toResponseId = (input: Pick<AnswerInput, 'id'>): string => `resp_${idBase(input)}`

/** The response and position that an item's id names; undefined: another vendor made the id. */
export function ownItemOf(id: string): OwnItem | undefined {
  const [, base, index] = OWN_ITEM.exec(id) ?? []
  return base === undefined ? undefined : { response_id: `resp_${base}`, index: Number(index) }
}
