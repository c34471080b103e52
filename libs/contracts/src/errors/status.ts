import type { ErrorRows } from './row.ts'

export const statusErrors = {
  'status.database': {
    status: 503,
    retry: 'never',
    blame: 'us',
    type: 'server_error',
    zh: '数据库连接失败',
    en: 'The database is unavailable',
  },
  'release.off': {
    status: 404,
    console: 200,
    retry: 'never',
    blame: 'operator',
    type: 'invalid_request_error',
    zh: '未配置发布地址（RELEASE_FEED_URL），不检查更新',
    en: 'Updates are not checked: RELEASE_FEED_URL is not set',
  },
  'release.failed': {
    status: 502,
    console: 200,
    retry: 'never',
    blame: 'upstream',
    type: 'upstream_error',
    zh: '检查更新失败，请稍后再试',
    en: 'The check for a new version failed, try again later',
  },
} as const satisfies ErrorRows
