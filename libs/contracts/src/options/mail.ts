import { option } from './option.ts'

/** Outgoing mail, and the proxy for calls to addresses that users configure. */
export const mailOptions = {
  SMTPServer: option.text({ default: '', readBy: ['worker'] }),
  SMTPPort: option.int({ default: 587, min: 1, max: 65535, readBy: ['worker'] }),
  SMTPAccount: option.text({ default: '', readBy: ['worker'] }),
  /** Empty: the account name. */
  SMTPFrom: option.text({ default: '', readBy: ['worker'] }),
  SMTPToken: option.text({ default: '', secret: true, readBy: ['worker'] }),
  SMTPSSLEnabled: option.flag({ default: false, readBy: ['worker'] }),
  WorkerUrl: option.url({ default: '', readBy: ['relay', 'worker'] }),
  WorkerValidKey: option.text({ default: '', secret: true, readBy: ['relay', 'worker'] }),
  /** Allows the proxy for addresses without TLS. */
  WorkerAllowHttpImageRequestEnabled: option.flag({ default: false, readBy: ['relay'] }),
}
