import { z } from 'zod'
import { isHostPattern } from '../values/host-pattern.ts'
import { StatusGroups } from '../values/status-groups.ts'
import { option } from './option.ts'

const LOBE = 'https://chat-preview.lobehub.com/?settings={"keyVaults":{"openai":{"apiKey":"{key}","baseURL":"{address}/v1"}}}'
const WORKSPACE =
  'https://aiaw.app/set-provider?provider={"type":"openai","settings":{"apiKey":"{key}","baseURL":"{address}/v1","compatibility":"strict"}}'

const DEFAULT_CHATS: Record<string, string>[] = [
  { 'ChatGPT Next Web 官方示例': 'https://app.nextchat.dev/#/?settings={"key":"{key}","url":"{address}"}' },
  { 'Lobe Chat 官方示例': LOBE },
  { 'AI as Workspace': WORKSPACE },
  { 'AMA 问天': 'ama://set-api-key?server={address}&key={key}' },
  { OpenCat: 'opencat://team/join?domain={address}&token={key}' },
]

/** Name, appearance and address of the site. */
export const siteOptions = {
  ServerAddress: option.url({ default: '', publicAs: 'server_address', readBy: ['control-plane', 'relay', 'worker'] }),
  SystemName: option.text({ default: 'Tollgate', publicAs: 'system_name', readBy: ['control-plane', 'worker'] }),
  Logo: option.text({ default: '', publicAs: 'logo' }),
  Footer: option.text({ default: '', publicAs: 'footer_html' }),
  Notice: option.text({ default: '' }),
  About: option.text({ default: '' }),
  HomePageContent: option.text({ default: '' }),
  ImageHosts: option.csv({ default: [], publicAs: 'image_hosts', entry: { matches: isHostPattern, code: 'option.host-pattern' } }),
  TopUpLink: option.url({ default: '', isRefusedBy400: true, keepsSlash: true, publicAs: 'top_up_link', readBy: ['relay'] }),
  'general_setting.docs_link': option.url({ default: '', isRefusedBy400: true, keepsSlash: true, publicAs: 'docs_link' }),
  Chats: option.json(z.array(z.record(z.string(), z.string())), { default: DEFAULT_CHATS, isRefusedBy400: true, publicAs: 'chats' }),
  DefaultCollapseSidebar: option.flag({ default: false, publicAs: 'default_collapse_sidebar' }),
  DemoSiteEnabled: option.flag({ default: false, publicAs: 'demo_site_enabled' }),
  /** Ours: the public status page, below `/status`. */
  StatusPageEnabled: option.flag({ default: false, readBy: ['control-plane', 'worker'] }),
  /** Ours: names of model groups on the status page, with patterns of their models. Empty: by family. */
  StatusPageGroups: option.json(StatusGroups, { default: {}, readBy: ['control-plane', 'worker'] }),
  /** Ours: without groups of the operator, models are grouped by the name of their maker. */
  StatusPageShowMakers: option.flag({ default: false, readBy: ['control-plane', 'worker'] }),
  SelfUseModeEnabled: option.flag({ default: false, publicAs: 'self_use_mode_enabled', readBy: ['control-plane', 'relay'] }),
}
