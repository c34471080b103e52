import type { SettingChange } from '@tollgate/contracts/resources/self'
import type { ShownSetting } from '@tollgate/contracts/resources/users'

/** Values of the form; numbers are text while they are typed. */
export type NotificationForm = {
  readonly notify_type: 'email' | 'webhook'
  readonly threshold: string
  readonly notification_email: string
  /** Confirms the address. */
  readonly notification_code: string
  readonly webhook_url: string
  readonly webhook_secret: string
}

export const THRESHOLD_PRESETS = [100_000, 500_000, 1_000_000, 5_000_000] as const

/** `usual`: the threshold of the site, which applies without an own one. */
export function toNotificationForm(setting: ShownSetting, usual: number): NotificationForm {
  return {
    notify_type: setting.notify_type ?? 'email',
    threshold: String(setting.quota_warning_threshold ?? usual),
    notification_email: setting.notification_email_pending ?? setting.notification_email ?? '',
    notification_code: '',
    webhook_url: setting.webhook_url ?? '',
    webhook_secret: '',
  }
}

/** A blank secret keeps the stored one. */
export function toSettingChange(form: NotificationForm): SettingChange {
  const { notify_type, notification_email, notification_code, webhook_url, webhook_secret } = form
  return {
    notify_type,
    quota_warning_threshold: Number(form.threshold),
    notification_email: notification_email.trim(),
    webhook_url: webhook_url.trim(),
    ...(notification_code.trim() === '' ? {} : { notification_code: notification_code.trim() }),
    ...(webhook_secret === '' ? {} : { webhook_secret }),
  }
}

export type NotificationProblem = {
  readonly field: keyof NotificationForm
  readonly text: 'error-threshold' | 'error-webhook' | 'error-email'
}

/** The fields of the way that is not chosen are not asked for. */
export function problemsOfNotification(form: NotificationForm): readonly NotificationProblem[] {
  const problems: NotificationProblem[] = []
  const threshold = Number(form.threshold)
  if (form.threshold.trim() === '' || !Number.isSafeInteger(threshold) || threshold <= 0)
    problems.push({ field: 'threshold', text: 'error-threshold' })
  if (form.notify_type === 'webhook') {
    if (!form.webhook_url.trim().startsWith('https://') || !URL.canParse(form.webhook_url.trim()))
      problems.push({ field: 'webhook_url', text: 'error-webhook' })
  } else if (form.notification_email.trim() !== '' && !/^\S+@\S+$/.test(form.notification_email.trim()))
    problems.push({ field: 'notification_email', text: 'error-email' })
  return problems
}
