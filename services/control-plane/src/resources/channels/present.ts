import { EXTRA_CAPABILITIES, parseChannelTests } from '@tollgate/contracts/channels/channel-tests'
import { inLanguage } from '@tollgate/contracts/failures/fault'
import type { Channel } from '@tollgate/contracts/resources/channels'
import type { ChannelRow } from '@tollgate/db/queries/channels/channels'
import type { Language } from '@tollgate/http/language'

/** A channel as an administrator of this language sees it, without its key. */
export function toChannel(row: ChannelRow, language: Language): Channel {
  return {
    id: row.id,
    type: row.type,
    key: '',
    openai_organization: row.openai_organization,
    test_model: row.test_model,
    status: row.status,
    name: row.name,
    weight: row.weight,
    created_time: row.created_time,
    test_time: row.test_time,
    response_time: row.response_time,
    base_url: row.base_url,
    other: row.other,
    balance: row.balance,
    balance_updated_time: row.balance_updated_time,
    models: row.models,
    group: row.group,
    used_quota: row.used_quota,
    model_mapping: row.model_mapping,
    status_code_mapping: row.status_code_mapping,
    priority: row.priority,
    auto_ban: row.auto_ban,
    other_info: row.other_info,
    tag: row.tag,
    setting: row.setting,
    param_override: row.param_override,
    max_input_tokens: row.max_input_tokens,
    test_error: testErrorOf(row, language),
    key_expires_at: row.key_expires_at,
  }
}

/** The column has the English text of the latest test, by which channels are found; the test itself has its fault. */
function testErrorOf({ test_error, tests }: ChannelRow, language: Language): string {
  if (test_error === '') return ''
  const latest = parseChannelTests(tests).find(({ capability }) => !EXTRA_CAPABILITIES.has(capability))
  return inLanguage({ message: test_error, fault: latest?.fault }, language).message
}
