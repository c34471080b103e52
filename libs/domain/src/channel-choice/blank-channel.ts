import { ChannelStatus } from '@tollgate/contracts/enums'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'

/** An enabled channel with nothing set. */
export const BLANK_CHANNEL: ChannelSnapshot = {
  id: 0,
  type: 0,
  name: '',
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
  auto_ban: false,
  tag: '',
}
