import type { Texts } from '../resources.ts'
import type { texts as zh } from '../zh/settings.ts'

export const texts = {
  title: 'Settings',
  lead: 'You see every change before it is saved.',
  'search-placeholder': 'Search by name, key or description',
  section: { mail: 'Mail and proxy', models: 'Models' },
  changed: 'Changed by {{user}} on {{time}}',
  'at-line': 'Line {{line}}: {{message}}',
  option: {
    SMTPServer: { label: 'SMTP server', help: 'Sends verification codes and reminders, for example smtp.example.com.' },
    SMTPPort: { label: 'SMTP port', help: 'Usually 587, or 465 with SSL.' },
    SMTPAccount: { label: 'SMTP account', help: 'The user name at the mail server.' },
    SMTPFrom: { label: 'Sender address', help: 'Empty means the SMTP account.' },
    SMTPToken: { label: 'SMTP password', help: 'A password or an app password. It is not shown again.' },
    SMTPSSLEnabled: { label: 'Use SSL', help: 'Encrypts the connection from its start. Port 587 usually does not need it.' },
    WorkerUrl: {
      label: 'Proxy address',
      help: 'Used for addresses that users enter (images, webhooks), so that they do not learn the server’s address.',
    },
    WorkerValidKey: { label: 'Proxy key', help: 'Proves to the proxy that a request comes from this site.' },
    WorkerAllowHttpImageRequestEnabled: {
      label: 'Let the proxy use http addresses',
      help: 'While off, the proxy uses https addresses only.',
    },
    global: {
      pass_through_request_enabled: { label: 'Pass requests through', help: 'Sends the request body upstream without any change.' },
    },
    general_setting: {
      ping_interval_enabled: {
        label: 'Keep streams alive',
        help: 'Sends an empty line at intervals until upstream answers, so that networks in between do not close the connection.',
      },
      ping_interval_seconds: { label: 'Keep-alive interval (seconds)', help: 'Seconds between two empty lines, at least 1.' },
    },
    claude: {
      model_headers_settings: { label: 'Claude headers', help: 'Headers added by model. Each header is a list.' },
      default_max_tokens: {
        label: 'Claude default max_tokens',
        help: 'Used by requests without max_tokens, by model; default applies to all others.',
      },
      thinking_adapter_enabled: { label: 'Claude thinking names', help: 'Models whose name ends in -thinking think.' },
      thinking_adapter_budget_tokens_percentage: {
        label: 'Claude thinking budget',
        help: 'The share of max_tokens that thinking may use, 0.1 to 1.',
      },
    },
    gemini: {
      safety_settings: { label: 'Gemini safety settings', help: 'The blocking level by category; default applies to all others.' },
      version_settings: { label: 'Gemini API version', help: 'The API version by model; default applies to all others.' },
      supported_imagine_models: { label: 'Gemini image models', help: 'Models that can answer with images, as a JSON list.' },
      thinking_adapter_enabled: {
        label: 'Gemini thinking names',
        help: 'Models whose name ends in -thinking or -nothinking think or do not think.',
      },
      thinking_adapter_budget_tokens_percentage: {
        label: 'Gemini thinking budget',
        help: 'The share of the longest answer that thinking may use, 0.1 to 1.',
      },
    },
  },
} as const satisfies Texts<typeof zh>
