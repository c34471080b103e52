import { describe, expect, it } from 'vitest'
import { problemsOfNotification, toNotificationForm, toSettingChange, type NotificationForm } from './form.ts'

const form = (change: Partial<NotificationForm> = {}): NotificationForm => ({ ...toNotificationForm({}, 1000), ...change })

describe('the notification settings', () => {
  it.each([
    ['nothing was ever stored', {}, '1000'],
    ['other settings were stored', { notify_type: 'email' }, '1000'],
    ['a threshold was stored', { quota_warning_threshold: 7 }, '7'],
  ] as const)('show the threshold that applies when %s', (_why, setting, threshold) => {
    expect(toNotificationForm(setting, 1000).threshold).toBe(threshold)
  })

  it.each([
    ['a threshold of nothing', { threshold: '' }, ['threshold']],
    ['a threshold of 0', { threshold: '0' }, ['threshold']],
    ['a part of a quota', { threshold: '1.5' }, ['threshold']],
    ['a webhook without an address', { notify_type: 'webhook' }, ['webhook_url']],
    ['a webhook without TLS', { notify_type: 'webhook', webhook_url: 'http://a.example' }, ['webhook_url']],
    ['a mail address without an at', { notification_email: 'nobody' }, ['notification_email']],
    ['a bad address of the other way', { webhook_url: 'http://a.example' }, []],
    ['a good webhook', { notify_type: 'webhook', webhook_url: ' https://a.example/hook ' }, []],
  ] as const)('refuse %s', (_why, change, fields) => {
    expect(problemsOfNotification(form(change)).map(({ field }) => field)).toEqual(fields)
  })

  it('keep a secret that was not typed', () => {
    expect(toSettingChange(form())).not.toHaveProperty('webhook_secret')
    expect(toSettingChange(form({ webhook_secret: 's' }))).toMatchObject({ webhook_secret: 's', quota_warning_threshold: 1000 })
  })
})
