import type { ErrorRows } from './row.ts'

export const signInErrors = {
  'sign-in.password-off': {
    status: 403,
    console: 200,
    retry: 'never',
    blame: 'operator',
    type: 'new_api_error',
    zh: '管理员关闭了密码登录',
    en: 'The administrator has turned password sign-in off',
  },
  'sign-in.blank': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '用户名或密码为空',
    en: 'User name or password is empty',
  },
  'sign-in.wrong': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '用户名或密码错误，或用户已被封禁',
    en: 'Wrong user name or password, or the user is banned',
  },
  'human.missing': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: 'Turnstile token 为空',
    en: 'The Turnstile token is missing',
  },
  'human.refused': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: 'Turnstile 校验失败，请刷新重试！',
    en: 'The Turnstile check failed, reload and try again',
  },
  'session.save': {
    status: 500,
    console: 200,
    retry: 'never',
    blame: 'us',
    type: 'server_error',
    zh: '无法保存会话信息，请重试',
    en: 'The session could not be saved, try again',
  },
} as const satisfies ErrorRows
