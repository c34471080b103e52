export type ErrorRow = {
  /** HTTP status on the model routes. On `/api`, business failures are 200 with `success:false`; only 401, 403, 429, 5xx keep theirs. */
  readonly status: number
  readonly retry: 'never' | 'same' | 'other-channel'
  readonly blame: 'caller' | 'account' | 'operator' | 'upstream' | 'us'
  /** `type` of the OpenAI error shape. */
  readonly type: 'new_api_error' | 'invalid_request_error' | 'upstream_error' | 'server_error'
  /** `code` of the OpenAI error shape; the table's key when absent. */
  readonly wire?: string
  /** HTTP status on `/api` where it is not what the rule above says. */
  readonly console?: number
  readonly zh: string
  readonly en: string
}

export const errors = {
  'token.missing': { status: 401, retry: 'never', blame: 'caller', type: 'new_api_error', wire: 'invalid_api_key', zh: '未提供令牌', en: 'No token was provided' },
  'token.invalid': { status: 401, retry: 'never', blame: 'caller', type: 'new_api_error', wire: 'invalid_api_key', zh: '无效的令牌', en: 'Invalid token' },
  'token.exhausted': { status: 401, retry: 'never', blame: 'account', type: 'new_api_error', wire: 'token_exhausted', zh: '该令牌额度已用尽 TokenStatusExhausted[sk-{masked}]', en: 'This token has used up its quota TokenStatusExhausted[sk-{masked}]' },
  'token.expired': { status: 401, retry: 'never', blame: 'account', type: 'new_api_error', wire: 'token_expired', zh: '该令牌已过期', en: 'This token has expired' },
  'token.disabled': { status: 401, retry: 'never', blame: 'account', type: 'new_api_error', wire: 'token_disabled', zh: '该令牌状态不可用', en: 'This token is not enabled' },
  'token.empty': { status: 401, retry: 'never', blame: 'account', type: 'new_api_error', wire: 'token_exhausted', zh: '[sk-{masked}] 该令牌额度已用尽 !token.UnlimitedQuota && token.RemainQuota = {remain}', en: '[sk-{masked}] This token has used up its quota !token.UnlimitedQuota && token.RemainQuota = {remain}' },
  'user.disabled': { status: 403, console: 200, retry: 'never', blame: 'account', type: 'new_api_error', wire: 'user_disabled', zh: '用户已被封禁', en: 'The user is banned' },
  'access.channel-pin': { status: 403, retry: 'never', blame: 'caller', type: 'new_api_error', wire: 'access_denied', zh: '普通用户不支持指定渠道', en: 'Only administrators may name a channel' },
  'access.channel-invalid': { status: 400, retry: 'never', blame: 'caller', type: 'new_api_error', wire: 'invalid_channel_id', zh: '无效的渠道 Id', en: 'Invalid channel id' },
  'access.channel-disabled': { status: 403, retry: 'never', blame: 'caller', type: 'new_api_error', wire: 'channel_disabled', zh: '该渠道已被禁用', en: 'This channel is disabled' },
  'access.ip': { status: 403, retry: 'never', blame: 'caller', type: 'new_api_error', wire: 'access_denied', zh: '您的 IP 不在令牌允许访问的列表中', en: 'Your address is not on the token’s list' },
  'access.group-disabled': { status: 403, retry: 'never', blame: 'account', type: 'new_api_error', wire: 'group_disabled', zh: '令牌分组 {group} 已被禁用', en: 'Token group {group} is disabled' },
  'access.group-gone': { status: 403, retry: 'never', blame: 'operator', type: 'new_api_error', wire: 'group_deprecated', zh: '分组 {group} 已被弃用', en: 'Group {group} is no longer in use' },
  'access.model': { status: 403, retry: 'never', blame: 'account', type: 'new_api_error', wire: 'model_not_allowed', zh: '该令牌无权访问模型 {model}', en: 'This token may not use model {model}' },
  'access.no-model': { status: 403, retry: 'never', blame: 'account', type: 'new_api_error', wire: 'model_not_allowed', zh: '该令牌无权访问任何模型', en: 'This token may not use any model' },
  'rate.requests': { status: 429, retry: 'never', blame: 'account', type: 'new_api_error', wire: 'rate_limit_exceeded', zh: '您已达到请求数限制：{minutes}分钟内最多请求{count}次', en: 'Request limit reached: at most {count} requests in {minutes} minutes' },
  'rate.total': { status: 429, retry: 'never', blame: 'account', type: 'new_api_error', wire: 'rate_limit_exceeded', zh: '您已达到总请求数限制：{minutes}分钟内最多请求{count}次，包括失败次数，请检查您的请求是否正确', en: 'Total request limit reached: at most {count} requests in {minutes} minutes, failures included; please check your requests' },
  'rate.unknown-keys': { status: 429, retry: 'never', blame: 'caller', type: 'new_api_error', wire: 'rate_limit_exceeded', zh: '无效令牌请求过多，请稍后再试', en: 'Too many requests with unknown tokens, try again later' },
  'request.invalid': { status: 400, retry: 'never', blame: 'caller', type: 'invalid_request_error', wire: 'invalid_request', zh: 'Invalid request, 无效的请求, {detail}', en: 'Invalid request, {detail}' },
  'request.field': { status: 400, retry: 'never', blame: 'caller', type: 'invalid_request_error', wire: 'invalid_text_request', zh: '{detail}', en: '{detail}' },
  'request.too-large': { status: 413, retry: 'never', blame: 'caller', type: 'invalid_request_error', wire: 'request_too_large', zh: '请求体超过上限 {limit} 字节', en: 'The request body is over the limit of {limit} bytes' },
  'request.busy': { status: 503, retry: 'never', blame: 'us', type: 'new_api_error', wire: 'body_budget_exhausted', zh: '网关缓冲已满，请稍后再试', en: 'The gateway’s buffers are full, try again later' },
  'content.sensitive': { status: 400, retry: 'never', blame: 'caller', type: 'new_api_error', wire: 'sensitive_words_detected', zh: 'sensitive words detected', en: 'sensitive words detected' },
  'model.missing': { status: 400, retry: 'never', blame: 'caller', type: 'invalid_request_error', wire: 'invalid_text_request', zh: 'model is required', en: 'model is required' },
  'model.unknown': { status: 404, retry: 'never', blame: 'caller', type: 'invalid_request_error', wire: 'model_not_found', zh: "The model '{model}' does not exist", en: "The model '{model}' does not exist" },
  'model.unpriced': { status: 400, retry: 'never', blame: 'operator', type: 'new_api_error', wire: 'model_price_error', zh: '模型 {model} 倍率或价格未配置，请联系管理员设置或开始自用模式；Model {model} ratio or price not set, please set or start self-use mode', en: '模型 {model} 倍率或价格未配置，请联系管理员设置或开始自用模式；Model {model} ratio or price not set, please set or start self-use mode' },
  'model.mapping-cycle': { status: 500, retry: 'other-channel', blame: 'operator', type: 'new_api_error', wire: 'model_mapped_error', zh: 'model_mapping_contains_cycle', en: 'model_mapping_contains_cycle' },
  'quota.user-short': { status: 403, retry: 'never', blame: 'account', type: 'new_api_error', wire: 'insufficient_user_quota', zh: 'chat pre-consumed quota failed, user quota: {have}, need quota: {need}', en: 'chat pre-consumed quota failed, user quota: {have}, need quota: {need}' },
  'quota.user-empty': { status: 403, retry: 'never', blame: 'account', type: 'new_api_error', wire: 'insufficient_user_quota', zh: 'user quota is not enough', en: 'user quota is not enough' },
  'quota.token-short': { status: 403, retry: 'never', blame: 'account', type: 'new_api_error', wire: 'pre_consume_token_quota_failed', zh: 'token quota is not enough, token remain quota: {have}, need quota: {need}', en: 'token quota is not enough, token remain quota: {have}, need quota: {need}' },
  'ledger.cold': { status: 503, retry: 'never', blame: 'us', type: 'new_api_error', wire: 'ledger_cold', zh: '账户数据暂不可用，请稍后再试', en: 'The account could not be loaded, try again shortly' },
  'ledger.closed': { status: 503, retry: 'never', blame: 'us', type: 'new_api_error', wire: 'ledger_closed', zh: '账本暂不可用，请稍后再试', en: 'The ledger is not available, try again shortly' },
  'ledger.backlog': { status: 503, retry: 'never', blame: 'us', type: 'new_api_error', wire: 'ledger_backlog', zh: '账本积压过多，请稍后再试', en: 'The ledger’s backlog is full, try again shortly' },
  'channel.none': { status: 503, retry: 'never', blame: 'operator', type: 'new_api_error', wire: 'model_not_found', zh: '当前分组 {group} 下对于模型 {model} 无可用渠道', en: 'Group {group} has no channel available for model {model}' },
  'upstream.saturated': { status: 429, retry: 'other-channel', blame: 'upstream', type: 'upstream_error', wire: 'upstream_saturated', zh: '当前分组上游负载已饱和，请稍后再试', en: 'Upstream capacity of this group is exhausted, try again later' },
  'upstream.network': { status: 502, retry: 'other-channel', blame: 'upstream', type: 'upstream_error', wire: 'do_request_failed', zh: '请求上游地址失败', en: 'The upstream address could not be reached' },
  'upstream.timeout': { status: 504, retry: 'never', blame: 'upstream', type: 'upstream_error', wire: 'upstream_timeout', zh: '上游响应超时', en: 'Upstream did not answer in time' },
  'upstream.malformed': { status: 502, retry: 'other-channel', blame: 'upstream', type: 'upstream_error', wire: 'bad_response_body', zh: '上游返回了无法解析的内容', en: 'Upstream’s answer could not be read' },
  'upstream.cut': { status: 502, retry: 'never', blame: 'upstream', type: 'upstream_error', wire: 'stream_response_error', zh: '上游在回答中途断开', en: 'Upstream broke off in the middle of the answer' },
  'upstream.status': { status: 502, retry: 'other-channel', blame: 'upstream', type: 'upstream_error', wire: 'bad_response_status_code', zh: 'bad response status code {status}', en: 'bad response status code {status}' },
  'route.unknown': { status: 404, retry: 'never', blame: 'caller', type: 'invalid_request_error', wire: '', zh: 'Invalid URL ({method} {path})', en: 'Invalid URL ({method} {path})' },
  'route.unimplemented': { status: 501, retry: 'never', blame: 'us', type: 'new_api_error', wire: 'api_not_implemented', zh: 'API not implemented', en: 'API not implemented' },
  'gateway.stopping': { status: 503, retry: 'never', blame: 'us', type: 'new_api_error', wire: 'gateway_stopping', zh: '网关正在重启，请重试', en: 'The gateway is restarting, try again' },
  'guard.anonymous': { status: 401, retry: 'never', blame: 'caller', type: 'new_api_error', zh: '无权进行此操作，未登录且未提供 access token', en: 'Not allowed: you are not signed in and sent no access token' },
  'guard.access-token': { status: 401, console: 200, retry: 'never', blame: 'caller', type: 'new_api_error', zh: '无权进行此操作，access token 无效', en: 'Not allowed: the access token is not valid' },
  'guard.id-missing': { status: 401, retry: 'never', blame: 'caller', type: 'new_api_error', zh: '无权进行此操作，未提供 New-Api-User', en: 'Not allowed: header New-Api-User is missing' },
  'guard.id-malformed': { status: 401, retry: 'never', blame: 'caller', type: 'new_api_error', zh: '无权进行此操作，New-Api-User 格式错误', en: 'Not allowed: header New-Api-User is no number' },
  'guard.id-differs': { status: 401, retry: 'never', blame: 'caller', type: 'new_api_error', zh: '无权进行此操作，New-Api-User 与登录用户不匹配', en: 'Not allowed: header New-Api-User is not the signed-in user' },
  'guard.role': { status: 403, console: 200, retry: 'never', blame: 'account', type: 'new_api_error', zh: '无权进行此操作，权限不足', en: 'Not allowed: your role does not permit this' },
  'guard.user-invalid': { status: 403, console: 200, retry: 'never', blame: 'account', type: 'new_api_error', zh: '无权进行此操作，用户信息无效', en: 'Not allowed: the user record is not valid' },
  'params.invalid': { status: 400, retry: 'never', blame: 'caller', type: 'invalid_request_error', zh: '无效的参数', en: 'Invalid parameters' },
  'params.detail': { status: 400, retry: 'never', blame: 'caller', type: 'invalid_request_error', zh: '无效的参数：{detail}', en: 'Invalid parameters: {detail}' },
  'params.too-large': { status: 413, retry: 'never', blame: 'caller', type: 'invalid_request_error', zh: '无效的参数：请求体超过 {limit} 字节', en: 'Invalid parameters: the body is over {limit} bytes' },
  'rate.console': { status: 429, retry: 'never', blame: 'caller', type: 'new_api_error', zh: '请求次数过多，请稍后再试！', en: 'Too many requests, try again later' },
  'setup.required': { status: 403, retry: 'never', blame: 'operator', type: 'new_api_error', zh: '系统尚未初始化，请先完成初始化', en: 'The system has not been set up yet' },
  'internal': { status: 500, retry: 'never', blame: 'us', type: 'server_error', wire: 'internal_error', zh: '服务器内部错误', en: 'Internal server error' },
} as const satisfies Readonly<Record<string, ErrorRow>>

export type ErrorCode = keyof typeof errors
