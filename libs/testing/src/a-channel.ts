import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import { BLANK_CHANNEL } from '@tollgate/domain/channel-choice/blank-channel'

/** An enabled channel of type 1 without key, models and groups, named after its id. */
export const aChannel = ({ id = 1, ...over }: Partial<ChannelSnapshot> = {}): ChannelSnapshot => ({
  ...BLANK_CHANNEL,
  id,
  type: 1,
  name: `c${id}`,
  auto_ban: true,
  ...over,
})
