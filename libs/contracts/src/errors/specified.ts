import type { ErrorCode } from '../errors.ts'

/**
 * Codes that nothing throws yet. They are kept because the specification fixes their texts; remove a code from this list when the
 * endpoint that throws it is written.
 */
export const specifiedErrors = [
  'model.mapping-cycle',
  'upstream.status',
  'session.save',
  'register.no-id',
  'register.token-key',
  'register.token-save',
  'email.unknown',
  'email.blank',
  'pay.group',
  'password.blank',
  'id.blank',
  'oauth.github-blank',
  'oauth.oidc-blank',
  'oauth.wechat-blank',
  'oauth.telegram-blank',
  'oauth.linuxdo-blank',
  'aff.blank',
  'self.token-failed',
  'self.token-taken',
  'self.setting-failed',
  'tokens.generate',
  'channels.test-kind',
  'channels.test-plus',
  'channels.usage-nil',
  'redeem.user',
] as const satisfies readonly ErrorCode[]
