import { CHANNEL_STATES, type ChannelState } from '@tollgate/contracts/channels/channel-states'
import { asPage, asText, searchReader } from '../../ui/list/search.ts'

const asState = (value: unknown): ChannelState | undefined => CHANNEL_STATES.find((state) => state === value)

/** Reads the address of the channel pages; `tag` is the tag whose drawer is open. Tag mode and the order by id stay in local storage. */
export const parseChannelSearch = searchReader({ keyword: asText, group: asText, model: asText, state: asState, tag: asText, page: asPage })
export type ChannelSearch = ReturnType<typeof parseChannelSearch>
