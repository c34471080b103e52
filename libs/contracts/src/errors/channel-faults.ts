import type { ErrorRow, ErrorRows } from './row.ts'

const fault = (zh: string, en: string) =>
  ({ status: 502, retry: 'never', blame: 'upstream', type: 'upstream_error', zh, en }) as const satisfies ErrorRow

/** Why a test of a channel or a reading of its models failed. They are stored, and shown in the reader's language. */
export const channelFaultsErrors = {
  'channel-fault.blocked': fault('不允许访问上游地址', 'The upstream address is not allowed'),
  'channel-fault.dns': fault('上游域名无法解析', 'The host name was not found'),
  'channel-fault.connect': fault('无法连接上游', 'The connection failed'),
  'channel-fault.timeout': fault('上游未及时响应', 'The upstream did not answer in time'),
  'channel-fault.reset': fault('上游断开了连接', 'The upstream closed the connection'),
  'channel-fault.aborted': fault('测试已取消', 'The test was cancelled'),
  'channel-fault.too-large': fault('上游返回的内容过大', 'The answer is too large'),
  'channel-fault.malformed': fault('无法解析上游返回的内容', 'The answer cannot be read'),
  'channel-fault.invalid': fault('上游地址无效', 'The upstream address is invalid'),
  'channel-fault.no-tool-call': fault('模型没有调用工具', 'The answer has no tool call'),
  'channel-fault.missing': fault('渠道 {id} 不存在', 'Channel {id} does not exist'),
  'channel-fault.unpublished': fault(
    '渠道尚未同步到转发服务，请几秒后重试',
    'The channel has not reached the relays yet; try again in a few seconds',
  ),
  'channel-fault.no-model': fault('渠道没有可用于此测试（{capability}）的模型', 'The channel has no model for this test ({capability})'),
  'channel-fault.no-address': fault('渠道没有地址', 'The channel has no address'),
  'channel-fault.no-list': fault('模型列表中没有可读的 {what}', 'The list of models has no readable {what}'),
} as const satisfies ErrorRows
