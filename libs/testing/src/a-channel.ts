import { ChannelStatus } from '@tollgate/contracts/enums'
import type { ChannelSnapshot } from '@tollgate/contracts/snapshot'

/** An enabled channel of type 1 without key, models and groups, named after its id. */
export const aChannel = ({ id = 1, ...over }: Partial<ChannelSnapshot> = {}): ChannelSnapshot => ({
  id,
  type: 1,
  name: `c${id}`,
  status: ChannelStatus.enabled,
  key_sealed: '',
  openai_organization: '',
  base_url: '',
  other: '',
  models: [],
  groups: [],
  model_mapping: {},
  status_code_mapping: {},
  param_override: {},
  setting: {},
  priority: 0,
  weight: 0,
  auto_ban: true,
  tag: '',
  ...over,
})
