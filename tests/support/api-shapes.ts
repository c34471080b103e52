import { shapeOf } from './shape.ts'

/**
 * The rows of `/api` as existing consoles read them. They repeat the endpoint table on purpose, so that a change there fails the tests.
 */
export const userShape = shapeOf({
  int: 'id role status quota used_quota request_count aff_count aff_quota aff_history_quota inviter_id',
  text: 'username password display_name email github_id oidc_id wechat_id telegram_id linux_do_id verification_code group aff_code setting',
  null: 'access_token DeletedAt',
})

/** The user's own row, with two additions: the rate limits, and whether there is a system access token. */
export const ownShape = { ...userShape, limits: 'null', has_access_token: 'flag' } as const

export const tokenShape = shapeOf({
  int: 'id user_id status created_time accessed_time expired_time remain_quota used_quota',
  text: 'key name model_limits allow_ips group',
  flag: 'unlimited_quota model_limits_enabled cross_group_retry telemetry_content receipt_hashes',
  null: 'DeletedAt limits fallback_models',
})

export const channelShape = shapeOf({
  int: 'id type status weight created_time test_time response_time balance_updated_time used_quota priority auto_ban max_input_tokens key_expires_at',
  text: 'key openai_organization test_model name base_url other models group model_mapping status_code_mapping other_info tag setting param_override test_error',
  number: 'balance',
})

export const logShape = shapeOf({
  int: 'id user_id created_at type quota prompt_tokens completion_tokens use_time channel token_id',
  text: 'content username token_name model_name channel_name group other request_id state',
  flag: 'is_stream',
})

export const logOtherShape = shapeOf({
  number: 'model_ratio group_ratio completion_ratio cache_ratio model_price frt',
  int: 'cache_tokens',
})

export const siteStatusShape = shapeOf({
  text: 'version github_client_id linuxdo_client_id telegram_bot_name system_name logo footer_html wechat_qrcode server_address turnstile_site_key top_up_link docs_link data_export_default_time oidc_client_id oidc_authorization_endpoint',
  int: 'start_time min_topup quota_remind_threshold',
  flag: 'email_verification github_oauth linuxdo_oauth telegram_oauth wechat_login turnstile_check display_in_currency enable_batch_update enable_drawing enable_task enable_data_export default_collapse_sidebar enable_online_topup mj_notify_enabled demo_site_enabled self_use_mode_enabled oidc_enabled setup',
  number: 'price quota_per_unit',
  list: 'chats image_hosts',
})

export const modelShape = shapeOf({
  text: 'id object owned_by root',
  int: 'created',
  list: 'permission',
  null: 'parent',
})

export const pricingRowShape = shapeOf({
  text: 'model_name owner_by vendor retires successor',
  int: 'quota_type',
  number: 'model_ratio model_price completion_ratio cache_ratio',
  list: 'enable_groups supported_endpoint_types',
})
