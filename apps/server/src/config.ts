import { fstatSync, readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { devicesPerUser, devicesPerUserMax, usernamePattern } from '@astropelago/contract/limits'
import { Registration } from '@astropelago/contract/accounts'
import { safeLink } from '@astropelago/contract/devices'
import { EmailAddress } from '@astropelago/contract/email'
import {
  defaultSiteName,
  siteNameMaxLength,
  stages,
  type SiteLinks,
  type Stage,
} from '@astropelago/contract/site'
import { ShortText } from '@astropelago/contract/text-fields'
import * as v from 'valibot'
import { nearestName } from './nearest-name.ts'
import { isPostgresUrl } from './storage/postgres-url.ts'

export interface Config {
  readonly host: string
  readonly port: number
  /** Origin of the address that users see, without a trailing slash. */
  readonly publicUrl: string
  /** False if it is a guess; see `ownOrigin`. */
  readonly hasPublicUrl: boolean
  readonly dataDir: string
  /** The folder for daily backups; undefined for none. */
  readonly backupDir: string | undefined
  /** The folder of guides for the Library; undefined for none. */
  readonly guidesDir: string | undefined
  /** The PostgreSQL database, with its password; undefined for a SQLite file in `dataDir`. */
  readonly databaseUrl: string | undefined
  /** The folder of the web app's build. */
  readonly webDir: string
  readonly onlineWindowMs: number
  /** Addresses or subnets whose X-Forwarded-* headers are believed. */
  readonly trustProxy: readonly string[]
  readonly demo: boolean
  /** Usernames of operators, in lower case. They may do on the site what the command line can. */
  readonly operators: ReadonlySet<string>
  readonly registration: Registration
  /** How mail is sent; undefined if this server sends none. */
  readonly mail: MailConfig | undefined
  /** Limits the number of users, demo users included. */
  readonly maxUsers: number
  readonly maxDevices: number
  readonly maxDevicesPerUser: number
  readonly maxIslands: number
  /** The domain below which each island has a host name; undefined for no relay. */
  readonly relayDomain: string | undefined
  /** Whether the site says that it is a prototype. */
  readonly stage: Stage
  /** The address of a Community Lounge elsewhere; undefined if it is an island here. */
  readonly tavernUrl: string | undefined
  /** The name of this installation on pages and in mails, and its logo. */
  readonly siteName: string
  readonly siteLogo: SiteLogo | undefined
  /** Links in the footer, which the law of many countries asks of a site. */
  readonly siteLinks: SiteLinks
  /** The ports that islands can have for games and other programs; undefined for none. */
  readonly relayPorts: RelayPorts | undefined
  /** Where other servers on the same database reach this one; undefined if they don't. */
  readonly instanceUrl: string | undefined
  /** Whether alerts may go to addresses of this machine and its networks. */
  readonly allowsPrivateTargets: boolean
  /** Addresses that no rate limit applies to. */
  readonly limitExempt: readonly string[]
  /** The language model behind /_spark/llm; undefined for none. */
  readonly llm: LlmConfig | undefined
  /** The bearer token that opens /metrics; undefined keeps it closed. */
  readonly metricsToken: string | undefined
  /** A sentence for each variable that has no effect but was probably meant to. */
  readonly variableWarnings: readonly string[]
  /** The lowest level that is logged. */
  readonly logLevel: (typeof logLevels)[number]
}

/** A picture of at most `logoMaxBytes`. */
export interface SiteLogo {
  readonly type: 'image/svg+xml' | 'image/png'
  readonly content: Buffer
}

interface RelayPorts {
  /** The address to listen on; undefined for all of the machine's addresses. */
  readonly host: string | undefined
  readonly first: number
  readonly last: number
}

export interface MailConfig {
  readonly host: string
  readonly port: number
  /**
   * TLS from the first byte. Otherwise TLS starts when the other end supports it, and always before a
   * password is sent.
   */
  readonly isSecure: boolean
  readonly auth: { readonly user: string; readonly password: string } | undefined
  /** The sender of mails. */
  readonly from: { readonly name: string; readonly address: string }
}

interface LlmConfig {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly apiKey: string | undefined
  /** The upstream's name for each model that may be asked for; `*` stands for all others. */
  readonly models: ReadonlyMap<string, string>
  /** What one user may ask for in a day (UTC). */
  readonly budget: { readonly calls: number; readonly tokens: number }
  /** What all users together may ask for in a day (UTC). */
  readonly totalBudget: { readonly calls: number; readonly tokens: number }
  /** How long an answer may take, up to its last byte. */
  readonly timeoutMs: number
}

const llmTimeoutMs = 60_000

/** A setting that can't be used. The message is the one line that the operator reads. */
export class ConfigError extends Error {}

const repositoryRoot = resolve(import.meta.dirname, '../../..')

const Integer = (min: number, max: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d+$/, `must be a whole number from ${min} to ${max}`),
    v.transform(Number),
    v.minValue(min, `must be a whole number from ${min} to ${max}`),
    v.maxValue(max, `must be a whole number from ${min} to ${max}`),
  )

const originMessage = 'must be an http or https address without a path, such as https://sky.example'
const Origin = v.pipe(
  v.string(),
  v.check((text) => {
    if (!URL.canParse(text)) return false
    const url = new URL(text)
    const isHttp = url.protocol === 'http:' || url.protocol === 'https:'
    return isHttp && `${url.origin}/` === url.href
  }, originMessage),
  v.transform((text) => new URL(text).origin),
)

const WebAddress = v.pipe(
  v.string(),
  v.check(
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
  v.string(),
  v.regex(/^\d{1,5}-\d{1,5}$/, portRangeMessage),
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
  v.string(),
  v.transform((text) => text.split(',').map((address) => address.trim())),
  v.everyItem(isAddressOrSubnet, 'must be IP addresses or subnets, separated by commas'),
)

function isAddressOrSubnet(text: string): boolean {
  const [address = '', prefix = '0', ...more] = text.split('/')
  const version = isIP(address)
  const maxPrefix = version === 4 ? 32 : 128
  return version !== 0 && more.length === 0 && /^\d+$/.test(prefix) && Number(prefix) <= maxPrefix
}

// Paths are appended to it. A password belongs in a setting that never reaches a log.
const HttpBase = v.pipe(
  v.string(),
  v.check((text) => {
    if (!URL.canParse(text)) return false
    const { protocol, username, password, search, hash } = new URL(text)
    return /^https?:$/.test(protocol) && username + password + search + hash === ''
  }, 'must be an http or https address without user, query and fragment, such as http://localhost:11434/v1'),
  v.transform((text) => {
    const { origin, pathname } = new URL(text)
    return `${origin}${pathname}`.replace(/\/+$/, '')
  }),
)

// It contains a password, so the message leaves its value out.
const PostgresUrl = v.pipe(
  v.string(),
  v.check(isPostgresUrl, 'must be an address such as postgres://user:password@host:5432/database'),
)

// It may contain a password, so the message leaves its value out.
const SmtpUrl = v.pipe(
  v.string(),
  v.check((text) => {
    if (!URL.canParse(text)) return false
    const { protocol, hostname, pathname, search, hash, username, password } = new URL(text)
    const isSmtp = protocol === 'smtp:' || protocol === 'smtps:'
    const rest = pathname.replace(/^\/$/, '') + search + hash
    const credentials = [username, password].every((part) => isDecodable(part))
    return isSmtp && hostname !== '' && rest === '' && credentials
  }, 'must be an address such as smtps://user:password@mail.example:465, with special characters of the password percent-encoded'),
  v.transform((text) => new URL(text)),
)

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

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

const HeaderValue = v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/, 'must be ASCII without spaces'))

/** The actor in the audit log for commands. */
export const consoleName = 'console'

const Usernames = v.pipe(
  v.string(),
  v.transform((text) => text.split(',').map((name) => name.trim().toLowerCase())),
  v.everyItem((name) => usernamePattern.test(name), 'must be usernames, separated by commas'),
  v.check(
    (names) => !names.includes(consoleName),
    `can’t name “${consoleName}”, which is the command line in the audit log`,
  ),
  v.transform((names) => new Set(names)),
)

const ModelPairs = v.pipe(
  v.string(),
  v.transform((text) => text.split(',').map((pair) => pair.split('=').map((name) => name.trim()))),
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

const Settings = v.object({
  HOST: v.optional(v.pipe(v.string(), v.regex(/^\S+$/, 'must be an address')), '127.0.0.1'),
  PORT: v.optional(Integer(0, 65_535), '3000'),
  PUBLIC_URL: v.optional(Origin),
  DATA_DIR: v.optional(v.string(), resolve(repositoryRoot, 'data')),
  BACKUP_DIR: v.optional(v.string()),
  GUIDES_DIR: v.optional(v.string()),
  WEB_DIR: v.optional(v.string(), resolve(repositoryRoot, 'apps/web/dist')),
  DATABASE_URL: v.optional(PostgresUrl),
  ONLINE_WINDOW_S: v.optional(Integer(1, 86_400 * 365), '300'),
  TRUST_PROXY: v.optional(
    v.pipe(
      AddressList,
      v.everyItem(
        (address) => !address.endsWith('/0'),
        'can’t be everybody: any caller could then claim any address; name your proxy',
      ),
    ),
  ),
  DEMO: v.optional(v.picklist(['on', 'off'], 'must be on or off'), 'on'),
  OPERATORS: v.optional(Usernames),
  REGISTRATION: v.optional(
    v.picklist(Registration.options, 'must be open, invite or closed'),
    'open',
  ),
  SMTP_URL: v.optional(SmtpUrl),
  MAIL_FROM: v.optional(MailFrom),
  LIMIT_EXEMPT: v.optional(AddressList),
  ALLOW_PRIVATE_TARGETS: v.optional(v.picklist(['on', 'off'], 'must be on or off'), 'off'),
  MAX_USERS: v.optional(Integer(1, 100_000_000), '100000'),
  MAX_DEVICES: v.optional(Integer(1, 100_000_000), '1000000'),
  MAX_DEVICES_PER_USER: v.optional(Integer(1, devicesPerUserMax), String(devicesPerUser)),
  MAX_ISLANDS: v.optional(Integer(1, 10_000_000), '100000'),
  RELAY_DOMAIN: v.optional(DomainName),
  RELAY_TCP_PORTS: v.optional(PortRange),
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

const settingNames = Object.keys(Settings.entries)

/**
 * Reads the settings. An empty variable counts as unset, because compose files write it that way. For a
 * variable whose name ends in `_FILE` the file's content counts, because that is how containers get
 * secrets.
 * @throws ConfigError naming the first setting that can't be used
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Config {
  const present = withFiles(
    Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')),
  )
  const result = v.safeParse(Settings, present)
  if (!result.success) {
    const [issue] = result.issues
    throw new ConfigError(`${v.getDotPath(issue) ?? 'Settings'}: ${issue.message}`)
  }
  const settings = result.output
  const publicUrl = settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`
  const domain = relayDomain(settings.RELAY_DOMAIN, publicUrl)
  return {
    host: settings.HOST,
    port: settings.PORT,
    hasPublicUrl: settings.PUBLIC_URL !== undefined,
    publicUrl,
    dataDir: resolve(settings.DATA_DIR),
    backupDir: settings.BACKUP_DIR === undefined ? undefined : resolve(settings.BACKUP_DIR),
    guidesDir: guidesDir(settings.GUIDES_DIR),
    databaseUrl: settings.DATABASE_URL,
    webDir: resolve(settings.WEB_DIR),
    onlineWindowMs: settings.ONLINE_WINDOW_S * 1000,
    trustProxy: settings.TRUST_PROXY ?? [],
    demo: settings.DEMO === 'on',
    operators: settings.OPERATORS ?? new Set(),
    registration: settings.REGISTRATION,
    mail: mailConfig(settings),
    maxUsers: settings.MAX_USERS,
    maxDevices: settings.MAX_DEVICES,
    maxDevicesPerUser: settings.MAX_DEVICES_PER_USER,
    maxIslands: settings.MAX_ISLANDS,
    relayDomain: domain,
    relayPorts: relayPorts(settings, publicUrl),
    stage: settings.VITE_STAGE ?? (isLocalName(new URL(publicUrl).hostname) ? 'prototype' : 'live'),
    tavernUrl: settings.VITE_TAVERN_URL,
    siteName: settings.INSTALLATION_NAME,
    siteLogo: siteLogo(settings.INSTALLATION_LOGO),
    siteLinks: siteLinks(settings),
    instanceUrl: instanceUrl(settings.INSTANCE_URL, domain),
    allowsPrivateTargets: settings.ALLOW_PRIVATE_TARGETS === 'on',
    limitExempt: settings.LIMIT_EXEMPT ?? [],
    llm: llmConfig(settings),
    metricsToken: settings.METRICS_TOKEN,
    variableWarnings: variableWarnings(present),
    logLevel: settings.LOG_LEVEL,
  }
}

function withFiles(env: Readonly<Record<string, string | undefined>>): Record<string, unknown> {
  const read: Record<string, string> = {}
  for (const name of settingNames) {
    const path = env[`${name}_FILE`]
    if (path === undefined) continue
    if (env[name] !== undefined) {
      throw new ConfigError(`${name}: is set, and ${name}_FILE too: leave one of them out`)
    }
    try {
      // Editors end the last line too.
      read[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    } catch (cause) {
      throw new ConfigError(`${name}_FILE: ${path} can’t be read`, { cause })
    }
  }
  return { ...env, ...read }
}

/** Only names that nearly match a setting. All others are not meant for this program. */
function variableWarnings(env: Readonly<Record<string, unknown>>): string[] {
  const known = new Set(settingNames.flatMap((name) => [name, `${name}_FILE`]))
  const mistyped = Object.keys(env).flatMap((name) => {
    const near = known.has(name) || name.length < 5 ? undefined : nearestName(name, settingNames, 2)
    return near === undefined ? [] : `${name} is no setting: did you mean ${near}?`
  })
  const isSenderAlone = env['MAIL_FROM'] !== undefined && env['SMTP_URL'] === undefined
  return isSenderAlone
    ? [...mistyped, 'MAIL_FROM is set and SMTP_URL is not: no e-mail is sent']
    : mistyped
}

/** @throws ConfigError */
function guidesDir(path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new ConfigError(`GUIDES_DIR: ${path} is no folder that can be read`)
  }
  return resolve(path)
}

const logoMaxBytes = 100_000
const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** The root element, after an XML declaration, comments and a document type. */
const svgStart = /^\uFEFF?\s*(?:<\?xml[^>]*>\s*|<!--[^]*?-->\s*|<!DOCTYPE[^>[]*>\s*)*<svg[\s>]/i

/** @throws ConfigError */
function siteLogo(path: string | undefined): SiteLogo | undefined {
  if (path === undefined) return undefined
  let content: Buffer
  try {
    // Checked before reading, because a huge file or a device would fill the memory.
    if (!statSync(path).isFile()) throw new Error('no file')
    if (statSync(path).size > logoMaxBytes) {
      throw new ConfigError(
        `INSTALLATION_LOGO: ${path} must have at most ${logoMaxBytes / 1000} kB`,
      )
    }
    content = readFileSync(path)
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause
    throw new ConfigError(`INSTALLATION_LOGO: ${path} can’t be read`, { cause })
  }
  if (content.subarray(0, pngStart.length).equals(pngStart)) return { type: 'image/png', content }
  if (svgStart.test(content.toString('utf8'))) return { type: 'image/svg+xml', content }
  throw new ConfigError(`INSTALLATION_LOGO: ${path} must be an SVG or a PNG`)
}

function siteLinks(settings: v.InferOutput<typeof Settings>): SiteLinks {
  const { IMPRINT_URL, TERMS_URL, PRIVACY_URL } = settings
  return [
    { name: 'Imprint', href: IMPRINT_URL },
    { name: 'Terms', href: TERMS_URL },
    { name: 'Privacy', href: PRIVACY_URL },
  ].flatMap(({ name, href }) => (href === undefined ? [] : [{ name, href }]))
}

/** Where the data is, for the log. */
export function dataLocation({
  dataDir,
  databaseUrl,
}: Pick<Config, 'dataDir' | 'databaseUrl'>): Readonly<Record<string, string>> {
  return databaseUrl === undefined ? { dataDir } : { database: 'postgres' }
}

/** Whether standard output goes to systemd's journal, which then reads a priority from each line. */
export function isJournal(env = process.env): boolean {
  const { dev, ino } = fstatSync(process.stdout.fd)
  return env['JOURNAL_STREAM'] === `${dev}:${ino}`
}

/** Browsers resolve every name below localhost by themselves, to their own machine. */
export function isLocalName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost')
}

function relayDomain(named: string | undefined, publicUrl: string): string | undefined {
  const { protocol, hostname } = new URL(publicUrl)
  const domain = named ?? (hostname === 'localhost' ? hostname : undefined)
  if (domain === undefined) return undefined
  if (hostname.endsWith(`.${domain}`)) {
    throw new ConfigError(
      `RELAY_DOMAIN: can’t be ${domain}: below it are islands alone, and PUBLIC_URL is there too`,
    )
  }
  // Cookies and passwords of islands would cross the network in clear text.
  if (protocol === 'http:' && !isLocalName(domain)) {
    throw new ConfigError('RELAY_DOMAIN: needs a PUBLIC_URL with https, unless it is localhost')
  }
  return domain
}

function relayPorts(
  settings: v.InferOutput<typeof Settings>,
  publicUrl: string,
): RelayPorts | undefined {
  const { RELAY_TCP_PORTS: range, HOST: host, PORT: port } = settings
  if (range === undefined) return undefined
  if (relayDomain(settings.RELAY_DOMAIN, publicUrl) === undefined) {
    throw new ConfigError('RELAY_TCP_PORTS: needs RELAY_DOMAIN, without which there is no relay')
  }
  if (port >= range.first && port <= range.last) {
    throw new ConfigError(`RELAY_TCP_PORTS: can’t hold ${port}, which is the site’s own PORT`)
  }
  // Behind a proxy the site listens on this machine only. The proxy does not carry these ports, so they
  // listen on every address.
  const isBehindProxy = isLoopback(host) && !isLocalName(new URL(publicUrl).hostname)
  return { ...range, host: isBehindProxy ? undefined : host }
}

function isLoopback(host: string): boolean {
  return isLocalName(host) || host.startsWith('127.') || host === '::1'
}

/** Only islands may be below RELAY_DOMAIN, since a server could not tell another server from a visitor. */
function instanceUrl(url: string | undefined, domain: string | undefined): string | undefined {
  if (url !== undefined && new URL(url).hostname.endsWith(`.${domain}`)) {
    throw new ConfigError(`INSTANCE_URL: can’t be below ${domain}, where islands are`)
  }
  return url
}

function mailConfig(settings: v.InferOutput<typeof Settings>): MailConfig | undefined {
  const url = settings.SMTP_URL
  if (url === undefined) return undefined
  const from = settings.MAIL_FROM
  if (from === undefined) {
    throw new ConfigError(
      'MAIL_FROM: is needed beside SMTP_URL, such as Astropelago <sky@example.org>',
    )
  }
  const isSecure = url.protocol === 'smtps:'
  const defaultPort = isSecure ? 465 : 587
  const user = decodeURIComponent(url.username)
  return {
    host: url.hostname.replaceAll(/[[\]]/g, ''),
    port: url.port === '' ? defaultPort : Number(url.port),
    isSecure,
    auth: user === '' ? undefined : { user, password: decodeURIComponent(url.password) },
    from,
  }
}

function llmConfig(settings: v.InferOutput<typeof Settings>): LlmConfig | undefined {
  const baseUrl = settings.LLM_BASE_URL
  if (baseUrl === undefined) return undefined
  const models = settings.LLM_MODELS
  if (models === undefined) {
    throw new ConfigError('LLM_MODELS: is needed beside LLM_BASE_URL, such as *=llama3.2')
  }
  const budget = { calls: settings.LLM_DAILY_CALLS, tokens: settings.LLM_DAILY_TOKENS }
  const totalBudget = {
    calls: settings.LLM_TOTAL_DAILY_CALLS,
    tokens: settings.LLM_TOTAL_DAILY_TOKENS,
  }
  const apiKey = settings.LLM_API_KEY
  return { baseUrl, apiKey, models, budget, totalBudget, timeoutMs: llmTimeoutMs }
}
