import { fromFault } from '@tollgate/contracts/failures/fault'
import { parseModelList, toModelListCall } from '@tollgate/domain/channel-models/model-list'
import { OutboundError } from '@tollgate/outbound/errors'
import { outboundFault } from '@tollgate/upstream/outbound-fault'
import type { Deps } from '../deps.ts'
import type { StoredChannel } from './stored-channel.ts'

const TIMEOUT_MS = 15_000

/** The vendor's models, or why they are not known; status 0: no answer. */
export type Listed = { readonly status: number } & ({ readonly names: readonly string[] } | ReturnType<typeof fromFault>)

/** Reads the models from a channel's vendor, with the channel's first key. */
export async function listModels(
  deps: Pick<Deps, 'outbound'>,
  { row: { type }, address, keys: [key = ''], proxy }: StoredChannel,
): Promise<Listed> {
  if (address === '') return { status: 0, ...fromFault('channel-fault.no-address') }
  try {
    const { status, body } = await deps.outbound.request({
      ...toModelListCall({ type, base_url: address, key }),
      timeoutMs: TIMEOUT_MS,
      proxy,
    })
    if (status !== 200) return { status, ...fromFault('channels.fetch-status', { status }) }
    const list = parseModelList(type, body.toString('utf8'))
    return list.kind === 'names' ? { status, names: list.names } : { status, ...fromFault('channel-fault.no-list', { what: list.what }) }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    // The message may contain internal addresses, so only the kind of failure is kept.
    return { status: 0, ...outboundFault(error.failure) }
  }
}
