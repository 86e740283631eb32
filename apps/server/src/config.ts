import { fstatSync, readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { SiteLinks } from '@astropelago/contract/site'
import * as v from 'valibot'
import { isPrivateName } from './http/private-name.ts'
import { nearestName } from './nearest-name.ts'
import { isGlobalAddress } from './outgoing/global-address.ts'
import { Settings } from './settings.ts'

export class ConfigError extends Error {}

export type Config = Readonly<ReturnType<typeof readConfig>>

export interface SiteLogo {
  readonly type: 'image/svg+xml' | 'image/png'
  readonly content: Buffer
}

export type MailConfig = Readonly<NonNullable<Config['mail']>>

const llmTimeoutMs = 60_000
const megabyte = 1_000_000

/** Empty variables count as unset, and `NAME_FILE` names a file with the value of `NAME`. @throws ConfigError */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
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
  const relayDomain = checkedRelayDomain(settings, publicUrl)
  const noAddresses: readonly string[] = []
  const noUsers: ReadonlySet<string> = new Set()
  return {
    host: settings.HOST,
    port: settings.PORT,
    /** False if `publicUrl` is a guess; see `ownOrigin`. */
    hasPublicUrl: settings.PUBLIC_URL !== undefined,
    publicUrl,
    dataDir: settings.DATA_DIR,
    backupDir: settings.BACKUP_DIR,
    guidesDir: checkedGuidesDir(settings),
    /** Includes the password. Without it, the database is a SQLite file in `dataDir`. */
    databaseUrl: settings.DATABASE_URL,
    webDir: settings.WEB_DIR,
    onlineWindowMs: settings.ONLINE_WINDOW_S * 1000,
    /** Addresses or subnets whose X-Forwarded-* headers are believed. */
    trustProxy: settings.TRUST_PROXY ?? noAddresses,
    demo: settings.DEMO,
    /** In lower case. */
    operators: settings.OPERATORS ?? noUsers,
    registration: settings.REGISTRATION,
    mail: mailConfig(settings),
    /** Demo users included. */
    maxUsers: settings.MAX_USERS,
    maxDevices: settings.MAX_DEVICES,
    maxDevicesPerUser: settings.MAX_DEVICES_PER_USER,
    checksPerUser: settings.CHECKS_PER_USER,
    maxIslands: settings.MAX_ISLANDS,
    hostsPages: settings.PAGES,
    pages: {
      memoryBytes: settings.PAGES_MEMORY * megabyte,
      totalBytes: settings.PAGES_TOTAL * megabyte,
      perIsland: {
        bytes: settings.PAGES_PER_ISLAND * megabyte,
        files: settings.PAGES_FILES,
        fileBytes: settings.PAGES_PER_FILE * megabyte,
      },
    },
    /** The domain below which each island has a host name; undefined for no relay. */
    relayDomain,
    relayPorts: relayPorts(settings, publicUrl, relayDomain),
    /** Asked about the domains of islands; empty for those of the system. */
    relayDnsServers: settings.RELAY_DNS_SERVERS ?? noAddresses,
    stage: settings.VITE_STAGE ?? (isLocalName(new URL(publicUrl).hostname) ? 'prototype' : 'live'),
    tavernUrl: settings.VITE_TAVERN_URL,
    siteName: settings.INSTALLATION_NAME,
    siteLogo: readSiteLogo(settings),
    siteLinks: siteLinks(settings),
    /** Where other servers on the same database reach this one; undefined if they don't. */
    instanceUrl: checkedInstanceUrl(settings, relayDomain),
    allowsPrivateTargets: settings.ALLOW_PRIVATE_TARGETS,
    /** What is always reachable from here, unless this server’s own network fails. */
    checkControlTargets: settings.CHECK_CONTROL_TARGETS,
    limitExempt: settings.LIMIT_EXEMPT ?? noAddresses,
    llm: llmConfig(settings),
    /** The bearer token that opens /metrics; undefined keeps it closed. */
    metricsToken: settings.METRICS_TOKEN,
    variableWarnings: variableWarnings(present),
    logLevel: settings.LOG_LEVEL,
  }
}

const settingNames = Object.keys(Settings.entries)

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
function variableWarnings(env: Readonly<Record<string, unknown>>): readonly string[] {
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

function checkedGuidesDir({ GUIDES_DIR: path }: Settings): string | undefined {
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

function readSiteLogo({ INSTALLATION_LOGO: path }: Settings): SiteLogo | undefined {
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

function siteLinks({ IMPRINT_URL, TERMS_URL, PRIVACY_URL }: Settings): SiteLinks {
  return [
    { name: 'Imprint', href: IMPRINT_URL },
    { name: 'Terms', href: TERMS_URL },
    { name: 'Privacy', href: PRIVACY_URL },
  ].flatMap(({ name, href }) => (href === undefined ? [] : [{ name, href }]))
}

function checkedRelayDomain(settings: Settings, publicUrl: string): string | undefined {
  const { protocol, hostname } = new URL(publicUrl)
  const domain = settings.RELAY_DOMAIN ?? (hostname === 'localhost' ? hostname : undefined)
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

/** The ports for games and other programs, and the address to listen on; undefined for all addresses. */
function relayPorts(settings: Settings, publicUrl: string, relayDomain: string | undefined) {
  const { RELAY_TCP_PORTS: range, HOST: host, PORT: port } = settings
  if (range === undefined) return undefined
  if (relayDomain === undefined) {
    throw new ConfigError('RELAY_TCP_PORTS: needs RELAY_DOMAIN, without which there is no relay')
  }
  if (port >= range.first && port <= range.last) {
    throw new ConfigError(`RELAY_TCP_PORTS: can’t hold ${port}, which is the site’s own PORT`)
  }
  // Behind a proxy the site listens on this machine only. The proxy does not carry these ports, so they
  // listen on every address.
  const isLoopback = isLocalName(host) || host.startsWith('127.') || host === '::1'
  const isBehindProxy = isLoopback && !isLocalName(new URL(publicUrl).hostname)
  return { ...range, host: isBehindProxy ? undefined : host }
}

/** Only islands may be below RELAY_DOMAIN, since a server could not tell another server from a visitor. */
function checkedInstanceUrl({ INSTANCE_URL: url }: Settings, relayDomain: string | undefined) {
  if (url === undefined) return undefined
  const { protocol, hostname } = new URL(url)
  if (hostname.endsWith(`.${relayDomain}`)) {
    throw new ConfigError(`INSTANCE_URL: can’t be below ${relayDomain}, where islands are`)
  }
  // What follows the servers' greeting is neither signed nor encrypted.
  if (protocol === 'http:' && !isPrivateHost(hostname)) {
    throw new ConfigError('INSTANCE_URL: must be https, unless it is in a private network')
  }
  return url
}

function isPrivateHost(hostname: string): boolean {
  const address = hostname.replaceAll(/[[\]]/g, '')
  return isIP(address) === 0 ? isPrivateName(hostname) : !isGlobalAddress(address)
}

function mailConfig({ SMTP_URL: url, MAIL_FROM: from }: Settings) {
  if (url === undefined) return undefined
  if (from === undefined) {
    throw new ConfigError(
      'MAIL_FROM: is needed beside SMTP_URL, such as Astropelago <sky@example.org>',
    )
  }
  // Otherwise TLS starts when the other end supports it, and always before a password is sent.
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

function llmConfig(settings: Settings) {
  const { LLM_BASE_URL: baseUrl, LLM_API_KEY: apiKey, LLM_MODELS } = settings
  if (baseUrl === undefined) return undefined
  if (LLM_MODELS === undefined) {
    throw new ConfigError('LLM_MODELS: is needed beside LLM_BASE_URL, such as *=llama3.2')
  }
  /** The upstream's name for each model that may be asked for; `*` stands for all others. */
  const models: ReadonlyMap<string, string> = LLM_MODELS
  return {
    baseUrl,
    apiKey,
    models,
    budget: { calls: settings.LLM_DAILY_CALLS, tokens: settings.LLM_DAILY_TOKENS },
    totalBudget: {
      calls: settings.LLM_TOTAL_DAILY_CALLS,
      tokens: settings.LLM_TOTAL_DAILY_TOKENS,
    },
    /** How long an answer may take, up to its last byte. */
    timeoutMs: llmTimeoutMs,
  }
}

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

/** Whether nobody could moderate what strangers write in the installation’s own rooms. */
export function isLoungeClosed({
  publicUrl,
  operators,
}: Pick<Config, 'publicUrl' | 'operators'>): boolean {
  return operators.size === 0 && !isLocalName(new URL(publicUrl).hostname)
}

/** Browsers resolve every name below localhost by themselves, to their own machine. */
export function isLocalName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost')
}
