import type { Token } from '@tollgate/contracts/resources/tokens'

export const aToken = (change: Partial<Token> = {}): Token => ({
  id: 1,
  user_id: 1,
  key: 'aaaa0000000000000000000000000000000000000000zzzz',
  status: 1,
  name: 'app',
  created_time: 1_750_000_000,
  accessed_time: 0,
  expired_time: -1,
  remain_quota: 500_000,
  unlimited_quota: false,
  model_limits_enabled: false,
  model_limits: '',
  allow_ips: '',
  used_quota: 0,
  group: '',
  limits: null,
  cross_group_retry: false,
  fallback_models: null,
  DeletedAt: null,
  ...change,
})
