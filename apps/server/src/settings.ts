import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { Registration } from '@astropelago/contract/accounts'
import { safeLink } from '@astropelago/contract/devices'
import { EmailAddress } from '@astropelago/contract/email'
import {
  checksPerUser,
  checksPerUserMax,
  devicesPerUser,
  devicesPerUserMax,
  usernamePattern,
} from '@astropelago/contract/limits'
import { defaultSiteName, siteNameMaxLength, stages } from '@astropelago/contract/site'
import { ShortText } from '@astropelago/contract/text-fields'
import * as v from 'valibot'
import { isPercentDecodable, isPostgresUrl } from './storage/postgres-url.ts'

const repositoryRoot = resolve(import.meta.dirname, '../../..')

/** The actor in the audit log for commands. */
export const consoleName = 'console'

// A message never repeats the value, which may be a secret in the wrong place.
const Text = (isGood: (text: string) => boolean, message: string) =>
  v.pipe(v.string(), v.check(isGood, message))

const List = v.pipe(
  v.string(),
  v.transform((text) => text.split(',').map((item) => item.trim())),
)

const Folder = v.pipe(
  v.string(),
  v.transform((path) => resolve(path)),
)

const Switch = v.pipe(
  v.picklist(['on', 'off'], 'must be on or off'),
  v.transform((text) => text === 'on'),
)

const Integer = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`
  return v.pipe(
    v.string(),
    v.regex(/^\d+$/, message),
    v.transform(Number),
    v.minValue(min, message),
    v.maxValue(max, message),
  )
}

const Origin = v.pipe(
  Text((text) => {
    const url = URL.parse(text)
    return url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href
  }, 'must be an http or https address without a path, such as https://sky.example'),
  v.transform((text) => new URL(text).origin),
)

const WebAddress = v.pipe(
  Text(
    (text) => safeLink(text) !== undefined,
    'must be a web address such as https://tavern.example',
  ),
  v.transform((text) => new URL(text).href),
)

// Host names of islands are longer by a slug and a dot.
const DomainName = v.pipe(
  v.string(),
  v.transform((text) => text.toLowerCase().replace(/\.$/, '')),
  v.check(
    (name) =>
      name.length <= 200 &&
      isIP(name) === 0 &&
      name.split('.').every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label)),
    'must be the name of a domain without scheme and port, such as islands.example',
  ),
)

const portRangeMessage =
  'must be a range of at most 10000 ports from 1 to 65535, such as 25000-25099'
const PortRange = v.pipe(
  Text((text) => /^\d{1,5}-\d{1,5}$/.test(text), portRangeMessage),
  v.transform((text) => {
    const [first = 0, last = 0] = text.split('-').map(Number)
    return { first, last }
  }),
  v.check(
    ({ first, last }) => first >= 1 && first <= last && last <= 65_535 && last - first < 10_000,
    portRangeMessage,
  ),
)

const AddressList = v.pipe(
  List,
  v.everyItem(isAddressOrSubnet, 'must be IP addresses or subnets, separated by commas'),
)

function isAddressOrSubnet(text: string): boolean {
  const [address = '', prefix = '0', ...more] = text.split('/')
  const version = isIP(address)
  const maxPrefix = version === 4 ? 32 : 128
  return version !== 0 && more.length === 0 && /^\d+$/.test(prefix) && Number(prefix) <= maxPrefix
}

const DnsServers = v.pipe(
  List,
  v.everyItem((server) => {
    const [, name = '', port = ''] = /^\[?([^\]]+)\]?:(\d{1,5})$/.exec(server) ?? []
    return isIP(server) !== 0 || (isIP(name) !== 0 && Number(port) <= 65_535)
  }, 'must be IP addresses of name servers, with or without ports, separated by commas'),
)

/** Hosts and ports; empty for `off`. */
const ControlTargets = v.pipe(
  v.string(),
  v.transform((text) => (text === 'off' ? [] : text.split(','))),
  v.everyItem(
    (item) => /^\s*(?:[^\s:]+|\[[0-9a-fA-F:]+\]):\d{1,5}\s*$/.test(item),
    'must be off, or hosts with ports, separated by commas, such as 1.1.1.1:443,9.9.9.9:443',
  ),
  v.transform((items) =>
    items.map((item) => {
      const end = item.lastIndexOf(':')
      const host = item.slice(0, end).trim().replaceAll(/[[\]]/g, '')
      return { host, port: Number(item.slice(end + 1)) }
    }),
  ),
  v.everyItem(({ port }) => port >= 1 && port <= 65_535, 'must have ports from 1 to 65535'),
)

const ProxyList = v.pipe(
  AddressList,
  v.everyItem(
    (address) => !address.endsWith('/0'),
    'can’t be everybody: any caller could then claim any address; name your proxy',
  ),
)

// Paths are appended to it. A password belongs in a setting that never reaches a log.
const HttpBase = v.pipe(
  Text((text) => {
    const url = URL.parse(text)
    if (url === null) return false
    const { protocol, username, password, search, hash } = url
    return /^https?:$/.test(protocol) && username + password + search + hash === ''
  }, 'must be an http or https address without user, query and fragment, such as http://localhost:11434/v1'),
  v.transform((text) => {
    const { origin, pathname } = new URL(text)
    return `${origin}${pathname}`.replace(/\/+$/, '')
  }),
)

const PostgresUrl = Text(
  isPostgresUrl,
  'must be an address such as postgres://user:password@host:5432/database',
)

const SmtpUrl = v.pipe(
  Text((text) => {
    const url = URL.parse(text)
    if (url === null) return false
    const { protocol, hostname, pathname, search, hash, username, password } = url
    const rest = pathname.replace(/^\/$/, '') + search + hash
    const isServer = /^smtps?:$/.test(protocol) && hostname !== '' && rest === ''
    return isServer && [username, password].every(isPercentDecodable)
  }, 'must be an address such as smtps://user:password@mail.example:465, with special characters of the password percent-encoded'),
  v.transform((text) => new URL(text)),
)

// The name with or without quotes.
const sender = /^(?:"?(?<name>[^<>"\p{Cc}]{0,64}?)"? *<(?<inner>[^<>]+)>|(?<bare>[^<>]+))$/u

const MailFrom = v.pipe(
  v.string(),
  v.transform((text) => {
    const { name = '', inner, bare = '' } = sender.exec(text.trim())?.groups ?? {}
    return { name, address: inner ?? bare }
  }),
  v.check(
    ({ address }) => v.is(EmailAddress, address),
    'must be an e-mail address such as Astropelago <sky@example.org>',
  ),
)

const HeaderValue = Text((text) => /^[\x21-\x7e]+$/.test(text), 'must be ASCII without spaces')

const Usernames = v.pipe(
  List,
  v.transform((names) => names.map((name) => name.toLowerCase())),
  v.everyItem((name) => usernamePattern.test(name), 'must be usernames, separated by commas'),
  v.check(
    (names) => !names.includes(consoleName),
    `can’t name “${consoleName}”, which is the command line in the audit log`,
  ),
  v.transform((names) => new Set(names)),
)

const ModelPairs = v.pipe(
  List,
  v.transform((pairs) => pairs.map((pair) => pair.split('=').map((name) => name.trim()))),
  v.everyItem(
    (pair) => pair.length === 2 && pair.every((name) => name !== ''),
    'must be pairs asked=upstream, separated by commas, such as openai/gpt-4o=llama3.2,*=llama3.2',
  ),
  v.check(
    (pairs) => new Set(pairs.map(([asked]) => asked)).size === pairs.length,
    'must name each asked model only once',
  ),
  v.transform((pairs) => new Map(pairs.map(([asked = '', name = '']) => [asked, name]))),
)

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

export const Settings = v.object({
  HOST: v.optional(
    Text((text) => /^\S+$/.test(text), 'must be an address'),
    '127.0.0.1',
  ),
  PORT: v.optional(Integer(0, 65_535), '3000'),
  PUBLIC_URL: v.optional(Origin),
  DATA_DIR: v.optional(Folder, resolve(repositoryRoot, 'data')),
  BACKUP_DIR: v.optional(Folder),
  GUIDES_DIR: v.optional(v.string()),
  WEB_DIR: v.optional(Folder, resolve(repositoryRoot, 'apps/web/dist')),
  DATABASE_URL: v.optional(PostgresUrl),
  ONLINE_WINDOW_S: v.optional(Integer(1, 86_400 * 365), '300'),
  TRUST_PROXY: v.optional(ProxyList),
  DEMO: v.optional(Switch, 'on'),
  OPERATORS: v.optional(Usernames),
  REGISTRATION: v.optional(
    v.picklist(Registration.options, 'must be open, invite or closed'),
    'open',
  ),
  SMTP_URL: v.optional(SmtpUrl),
  MAIL_FROM: v.optional(MailFrom),
  LIMIT_EXEMPT: v.optional(AddressList),
  ALLOW_PRIVATE_TARGETS: v.optional(Switch, 'off'),
  CHECK_CONTROL_TARGETS: v.optional(ControlTargets, '1.1.1.1:443,9.9.9.9:443'),
  MAX_USERS: v.optional(Integer(1, 100_000_000), '100000'),
  MAX_DEVICES: v.optional(Integer(1, 100_000_000), '1000000'),
  MAX_DEVICES_PER_USER: v.optional(Integer(1, devicesPerUserMax), String(devicesPerUser)),
  CHECKS_PER_USER: v.optional(Integer(0, checksPerUserMax), String(checksPerUser)),
  MAX_ISLANDS: v.optional(Integer(1, 10_000_000), '100000'),
  PAGES: v.optional(Switch, 'on'),
  PAGES_MEMORY: v.optional(Integer(1, 100_000), '64'),
  PAGES_TOTAL: v.optional(Integer(1, 10_000_000), '2000'),
  PAGES_PER_ISLAND: v.optional(Integer(1, 10_000), '50'),
  PAGES_PER_FILE: v.optional(Integer(1, 10_000), '10'),
  PAGES_FILES: v.optional(Integer(1, 10_000), '500'),
  RELAY_DOMAIN: v.optional(DomainName),
  RELAY_TCP_PORTS: v.optional(PortRange),
  RELAY_DNS_SERVERS: v.optional(DnsServers),
  VITE_STAGE: v.optional(v.picklist(stages, 'must be prototype or live')),
  VITE_TAVERN_URL: v.optional(WebAddress),
  INSTALLATION_NAME: v.optional(
    ShortText(siteNameMaxLength, `must be 1 to ${siteNameMaxLength} characters of text`),
    defaultSiteName,
  ),
  INSTALLATION_LOGO: v.optional(v.string()),
  IMPRINT_URL: v.optional(WebAddress),
  TERMS_URL: v.optional(WebAddress),
  PRIVACY_URL: v.optional(WebAddress),
  INSTANCE_URL: v.optional(Origin),
  LLM_BASE_URL: v.optional(HttpBase),
  LLM_API_KEY: v.optional(HeaderValue),
  LLM_MODELS: v.optional(ModelPairs),
  LLM_DAILY_CALLS: v.optional(Integer(0, 1_000_000), '200'),
  LLM_DAILY_TOKENS: v.optional(Integer(0, 1_000_000_000), '200000'),
  LLM_TOTAL_DAILY_CALLS: v.optional(Integer(0, 100_000_000), '10000'),
  LLM_TOTAL_DAILY_TOKENS: v.optional(Integer(0, 100_000_000_000), '10000000'),
  METRICS_TOKEN: v.optional(HeaderValue),
  LOG_LEVEL: v.optional(
    v.picklist(logLevels, 'must be trace, debug, info, warn, error or fatal'),
    'info',
  ),
})
export type Settings = v.InferOutput<typeof Settings>
