/** The columns of every generation that this package reads or knows to be without meaning here. Others are reported. */
type Known = { readonly read: readonly string[]; readonly ignored?: readonly string[] }

const list = (text: string): string[] => text.trim().split(/\s+/)

export const KNOWN_TABLES: Readonly<Record<string, Known>> = {
  users: {
    read: list(`id username password display_name role status email github_id oidc_id wechat_id telegram_id linux_do_id access_token quota used_quota
      request_count group aff_code aff_count aff_quota aff_history inviter_id deleted_at setting created_at`),
    ignored: list('remark stripe_customer discord_id lark_id last_login_at verification_code original_password'),
  },
  tokens: {
    read: list(`id user_id key status name created_time accessed_time expired_time remain_quota unlimited_quota model_limits_enabled model_limits
      allow_ips used_quota group cross_group_retry deleted_at models subnet`),
  },
  channels: {
    read: list(`id type key openai_organization open_ai_organization test_model status name weight created_time base_url other models group used_quota
      model_mapping status_code_mapping priority auto_ban tag setting param_override header_override channel_info settings config system_prompt`),
    ignored: list('test_time response_time balance balance_updated_time other_info remark deleted_at'),
  },
  options: { read: list('key value') },
  redemptions: {
    read: list('id user_id key status name quota created_time redeemed_time used_user_id deleted_at expired_time'),
    ignored: ['count'],
  },
  top_ups: { read: list('id user_id amount money trade_no create_time complete_time status payment_method') },
  midjourneys: {
    read: list(`id code user_id action mj_id prompt prompt_en description state submit_time start_time finish_time image_url video_url video_urls status
      progress fail_reason channel_id quota buttons properties`),
  },
  tasks: {
    read: list(`id created_at updated_at task_id platform user_id channel_id quota action status fail_reason submit_time start_time finish_time progress
      properties data`),
    ignored: list('group private_data'),
  },
  quota_data: { read: list('id user_id username model_name created_at token_used count quota') },
  logs: {
    read: list(`id user_id created_at type content username token_name model_name quota prompt_tokens completion_tokens use_time is_stream channel_id
      token_id group other request_id elapsed_time`),
    ignored: list('channel_name ip system_prompt_reset'),
  },
  user_subscriptions: {
    read: list('id user_id plan_id amount_total amount_used end_time status'),
    ignored: list('start_time source last_reset_time next_reset_time upgrade_group prev_user_group created_at updated_at'),
  },
  subscription_plans: {
    read: list('id title'),
    ignored:
      list(`subtitle price_amount currency duration_unit duration_value custom_seconds enabled sort_order stripe_price_id creem_product_id
      max_purchase_per_user upgrade_group total_amount quota_reset_period quota_reset_custom_seconds created_at updated_at`),
  },
  two_fas: {
    read: list('id user_id secret is_enabled deleted_at'),
    ignored: list('failed_attempts locked_until last_used_at created_at updated_at'),
  },
}

/** Tables without rows that this gateway needs: they follow from others, or belong to the program itself. */
export const IGNORED_TABLES = new Set(['abilities', 'setups', 'schema_migrations', 'migrations', 'sqlite_sequence'])

/** Tables whose rows have no place here, and why. */
export const LEFT_TABLES: Readonly<Record<string, string>> = {
  passkey_credentials: 'passkeys',
  two_fa_backup_codes: 'recovery-codes',
  checkins: 'check-ins',
  models: 'model-pages',
  vendors: 'model-pages',
  prefill_groups: 'form-presets',
  subscription_orders: 'subscription-orders',
  subscription_pre_consume_records: 'open-holds',
  custom_oauth_providers: 'sign-in-providers',
  user_oauth_bindings: 'sign-in-providers',
}

/** Tables that programs of the same family have in common; without these tables a database is of another program. */
export const NEEDED_TABLES = ['users', 'tokens', 'channels', 'options'] as const
