import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'
import { makeTempDir } from './test/open-test-storage.ts'

const defaults = {
  host: '127.0.0.1',
  port: 3000,
  publicUrl: 'http://localhost:3000',
  hasPublicUrl: false,
  dataDir: resolve(import.meta.dirname, '../../../data'),
  databaseUrl: undefined,
  webDir: resolve(import.meta.dirname, '../../web/dist'),
  onlineWindowMs: 300_000,
  trustProxy: [],
  demo: true,
  operators: new Set(),
  registration: 'open',
  mail: undefined,
  maxUsers: 100_000,
  maxDevices: 1_000_000,
  maxDevicesPerUser: 100,
  checksPerUser: 200,
  maxIslands: 100_000,
  hostsPages: true,
  pages: {
    memoryBytes: 64_000_000,
    totalBytes: 2_000_000_000,
    perIsland: { bytes: 50_000_000, files: 500, fileBytes: 10_000_000 },
  },
  relayDomain: 'localhost',
  relayPorts: undefined,
  relayDnsServers: [],
  stage: 'prototype',
  backupDir: undefined,
  siteName: 'Astropelago',
  siteLogo: undefined,
  guidesDir: undefined,
  siteLinks: [],
  tavernUrl: undefined,
  instanceUrl: undefined,
  allowsPrivateTargets: false,
  checkControlTargets: [
    { host: '1.1.1.1', port: 443 },
    { host: '9.9.9.9', port: 443 },
  ],
  limitExempt: [],
  llm: undefined,
  metricsToken: undefined,
  variableWarnings: [],
  logLevel: 'info',
}

const baseUrl = 'http://localhost:11434/v1'
const llm = { LLM_BASE_URL: baseUrl, LLM_MODELS: '*=llama3.2' }
const llmDefaults = {
  baseUrl,
  apiKey: undefined,
  models: new Map([['*', 'llama3.2']]),
  budget: { calls: 200, tokens: 200_000 },
  totalBudget: { calls: 10_000, tokens: 10_000_000 },
  timeoutMs: 60_000,
}

test.each([
  [{}, 'prototype'],
  [{ PUBLIC_URL: 'http://localhost:8080' }, 'prototype'],
  [{ PUBLIC_URL: 'https://sky.example' }, 'live'],
  [{ PUBLIC_URL: 'http://192.168.0.7:3000' }, 'live'],
  [{ PUBLIC_URL: 'https://sky.example', VITE_STAGE: 'prototype' }, 'prototype'],
  [{ VITE_STAGE: 'live' }, 'live'],
])('with %j the site is a %s one', (env, stage) => {
  expect(readConfig(env).stage).toBe(stage)
})

test('a setting can be in a file, which has to exist, but not in both places', async () => {
  const file = join(await makeTempDir(), 'token')
  await writeFile(file, 'a-b_c\n')
  expect(readConfig({ METRICS_TOKEN_FILE: file }).metricsToken).toBe('a-b_c')
  expect(() => readConfig({ METRICS_TOKEN_FILE: `${file}s` })).toThrow(
    /^METRICS_TOKEN_FILE: .*tokens can’t be read$/,
  )
  expect(() => readConfig({ METRICS_TOKEN_FILE: file, METRICS_TOKEN: 'x' })).toThrow(
    /^METRICS_TOKEN: is set, and METRICS_TOKEN_FILE too/,
  )
})

test('without settings the defaults hold', () => {
  expect(readConfig({})).toStrictEqual(defaults)
})

test('an empty variable counts as unset, and an unknown one is ignored', () => {
  const names = ['HOST', 'PORT', 'PUBLIC_URL', 'DATA_DIR', 'DATABASE_URL', 'ONLINE_WINDOW_S']
  const mails = ['REGISTRATION', 'SMTP_URL', 'MAIL_FROM']
  const lists = [
    ...mails,
    'WEB_DIR',
    'TRUST_PROXY',
    'DEMO',
    'LIMIT_EXEMPT',
    'ALLOW_PRIVATE_TARGETS',
    'CHECK_CONTROL_TARGETS',
    'METRICS_TOKEN',
    'RELAY_DOMAIN',
    'RELAY_TCP_PORTS',
    'RELAY_DNS_SERVERS',
    'INSTANCE_URL',
  ]
  const llmNames = ['BASE_URL', 'API_KEY', 'MODELS', 'DAILY_CALLS', 'DAILY_TOKENS']
  const all = [...names, ...lists, ...llmNames.map((name) => `LLM_${name}`)]
  const empty = all.map((name) => [name, ''])
  expect(readConfig({ ...Object.fromEntries(empty), PATH: '/usr/bin' })).toStrictEqual(defaults)
})

test.each([
  ['HOST', '::', { host: '::' }],
  ['HOST', 'sky.example', { host: 'sky.example' }],
  ['PORT', '0', { port: 0, publicUrl: 'http://localhost:0' }],
  ['PORT', '65535', { port: 65_535, publicUrl: 'http://localhost:65535' }],
  [
    'PUBLIC_URL',
    'https://sky.example',
    { publicUrl: 'https://sky.example', hasPublicUrl: true, relayDomain: undefined, stage: 'live' },
  ],
  [
    'PUBLIC_URL',
    'https://SKY.example:443/',
    { publicUrl: 'https://sky.example', hasPublicUrl: true, relayDomain: undefined, stage: 'live' },
  ],
  [
    'PUBLIC_URL',
    'http://192.168.0.7:8080',
    {
      publicUrl: 'http://192.168.0.7:8080',
      hasPublicUrl: true,
      relayDomain: undefined,
      stage: 'live',
    },
  ],
  ['DATA_DIR', '/var/lib/astropelago', { dataDir: '/var/lib/astropelago' }],
  ['DATA_DIR', 'here', { dataDir: resolve('here') }],
  ['WEB_DIR', '/srv/astropelago', { webDir: '/srv/astropelago' }],
  ['ONLINE_WINDOW_S', '2', { onlineWindowMs: 2000 }],
  ['TRUST_PROXY', '127.0.0.1, 10.0.0.0/8,::1', { trustProxy: ['127.0.0.1', '10.0.0.0/8', '::1'] }],
  ['DEMO', 'off', { demo: false }],
  ['DEMO', 'on', { demo: true }],
  ['MAX_DEVICES_PER_USER', '10000', { maxDevicesPerUser: 10_000 }],
  ['CHECKS_PER_USER', '0', { checksPerUser: 0 }],
  ['MAX_ISLANDS', '7', { maxIslands: 7 }],
  ['PAGES', 'off', { hostsPages: false }],
  ['RELAY_DOMAIN', 'Islands.LOCALHOST.', { relayDomain: 'islands.localhost' }],
  [
    'RELAY_DNS_SERVERS',
    '192.0.2.1,127.0.0.1:5300, 2001:db8::1,[::1]:53',
    { relayDnsServers: ['192.0.2.1', '127.0.0.1:5300', '2001:db8::1', '[::1]:53'] },
  ],
  [
    'RELAY_TCP_PORTS',
    '25000-25099',
    { relayPorts: { host: '127.0.0.1', first: 25_000, last: 25_099 } },
  ],
  ['INSTANCE_URL', 'http://10.0.0.2:3000', { instanceUrl: 'http://10.0.0.2:3000' }],
  ['ALLOW_PRIVATE_TARGETS', 'on', { allowsPrivateTargets: true }],
  ['CHECK_CONTROL_TARGETS', 'off', { checkControlTargets: [] }],
  [
    'CHECK_CONTROL_TARGETS',
    'example.org:80, [2001:db8::1]:443',
    {
      checkControlTargets: [
        { host: 'example.org', port: 80 },
        { host: '2001:db8::1', port: 443 },
      ],
    },
  ],
  ['LIMIT_EXEMPT', '192.168.0.0/16,fd00::/8', { limitExempt: ['192.168.0.0/16', 'fd00::/8'] }],
  ['REGISTRATION', 'invite', { registration: 'invite' }],
  ['REGISTRATION', 'closed', { registration: 'closed' }],
  ['METRICS_TOKEN', 'a-b_c.d~e/f=', { metricsToken: 'a-b_c.d~e/f=' }],
])('%s=%s is accepted', (name, value, expected) => {
  expect(readConfig({ [name]: value })).toStrictEqual({ ...defaults, ...expected })
})

test.each([
  [{}, {}],
  [
    { LLM_BASE_URL: 'https://models.example/openai/v1//' },
    { baseUrl: 'https://models.example/openai/v1' },
  ],
  [{ LLM_BASE_URL: 'HTTP://Models.example' }, { baseUrl: 'http://models.example' }],
  [{ LLM_BASE_URL: 'http://[::1]:8080/v1' }, { baseUrl: 'http://[::1]:8080/v1' }],
  [{ LLM_API_KEY: 'sk-a.b' }, { apiKey: 'sk-a.b' }],
  [
    { LLM_MODELS: ' openai/gpt-4o = llama3.2:latest , *=hf.co/a/b-GGUF ' },
    {
      models: new Map([
        ['openai/gpt-4o', 'llama3.2:latest'],
        ['*', 'hf.co/a/b-GGUF'],
      ]),
    },
  ],
  [
    { LLM_DAILY_CALLS: '0', LLM_DAILY_TOKENS: '1000000000' },
    { budget: { calls: 0, tokens: 1_000_000_000 } },
  ],
  [
    { LLM_TOTAL_DAILY_CALLS: '7', LLM_TOTAL_DAILY_TOKENS: '9' },
    { totalBudget: { calls: 7, tokens: 9 } },
  ],
])('a language model is connected: %j', (settings, expected) => {
  const config = readConfig({ ...llm, ...settings })
  expect(config).toStrictEqual({ ...defaults, llm: { ...llmDefaults, ...expected } })
})

test('without an address, no language model is connected', () => {
  const { LLM_BASE_URL: _, ...rest } = llm
  expect(readConfig({ ...rest, LLM_API_KEY: 'sk-a.b' }).llm).toBeUndefined()
})

test('an address without models is refused with one line that names what is needed', () => {
  expect(() => readConfig({ LLM_BASE_URL: baseUrl })).toThrow(/^LLM_MODELS: [^\n]+$/)
})

const from = { name: 'Sky', address: 'sky@example.org' }
test.each([
  ['smtp://localhost', 'sky@example.org', { host: 'localhost', port: 587, isSecure: false }],
  ['smtps://mail.example', 'Sky <sky@example.org>', { port: 465, isSecure: true, from }],
  [
    'smtp://ada%40x.org:p%3A%2F@mail.example:2525/',
    ' "Sky" <sky@example.org>',
    { port: 2525, auth: { user: 'ada@x.org', password: 'p:/' } },
  ],
  ['smtp://[::1]:25', 'sky@example.org', { host: '::1', port: 25, auth: undefined }],
])('SMTP_URL=%s with MAIL_FROM=%s sends e-mail', (url, sender, expected) => {
  expect(readConfig({ SMTP_URL: url, MAIL_FROM: sender }).mail).toMatchObject(expected)
})

test('a mail server without a sender is refused with one line that names what is needed', () => {
  expect(() => readConfig({ SMTP_URL: 'smtp://localhost' })).toThrow(/^MAIL_FROM: [^\n]+$/)
})

test.each([
  ['HOST', 'two words'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '3e3'],
  ['PORT', ' 3000'],
  ['PORT', '0x10'],
  ['PUBLIC_URL', 'sky.example'],
  ['PUBLIC_URL', 'ftp://sky.example'],
  ['PUBLIC_URL', 'https://sky.example/astro'],
  ['PUBLIC_URL', 'https://sky.example/?a'],
  ['PUBLIC_URL', 'https://user:secret@sky.example'],
  ['DATABASE_URL', 'mysql://localhost/astro'],
  ['DATABASE_URL', 'localhost/astro'],
  ['DATABASE_URL', 'postgres://localhost'],
  ['DATABASE_URL', 'postgres://astro:50%@localhost/astro'],
  ['ONLINE_WINDOW_S', '0'],
  ['ONLINE_WINDOW_S', '1.5'],
  ['ONLINE_WINDOW_S', 'five'],
  ['TRUST_PROXY', 'true'],
  ['TRUST_PROXY', '127.0.0.1,'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', '::/129'],
  ['TRUST_PROXY', '1.2.3'],
  ['RELAY_DNS_SERVERS', 'dns.example'],
  ['RELAY_DNS_SERVERS', '192.0.2.1:99999'],
  ['RELAY_DNS_SERVERS', '192.0.2.1,'],
  ['DEMO', 'yes'],
  ['ALLOW_PRIVATE_TARGETS', 'yes'],
  ['CHECK_CONTROL_TARGETS', 'on'],
  ['CHECK_CONTROL_TARGETS', '1.1.1.1'],
  ['CHECK_CONTROL_TARGETS', '1.1.1.1:0'],
  ['CHECK_CONTROL_TARGETS', '1.1.1.1:443,'],
  ['LIMIT_EXEMPT', 'localhost'],
  ['LIMIT_EXEMPT', '999.0.0.1'],
  ['LLM_BASE_URL', 'localhost:11434'],
  ['LLM_BASE_URL', 'ollama'],
  ['LLM_BASE_URL', 'ftp://localhost/v1'],
  ['LLM_BASE_URL', 'http://'],
  ['LLM_BASE_URL', 'http://user:secret@localhost/v1'],
  ['LLM_BASE_URL', 'http://user@localhost/v1'],
  ['LLM_BASE_URL', 'http://localhost/v1?key=secret'],
  ['LLM_BASE_URL', 'http://localhost/v1#here'],
  ['LLM_API_KEY', 'two words'],
  ['LLM_API_KEY', 'line\nbreak'],
  ['LLM_API_KEY', 'clé'],
  ['LLM_MODELS', 'llama3.2'],
  ['LLM_MODELS', '*='],
  ['LLM_MODELS', '=llama3.2'],
  ['LLM_MODELS', '*=a=b'],
  ['LLM_MODELS', '*=a,'],
  ['LLM_MODELS', '*=a,,b=c'],
  ['LLM_MODELS', 'a=b, a =c'],
  ['LLM_DAILY_CALLS', '-1'],
  ['LLM_DAILY_CALLS', 'many'],
  ['LLM_DAILY_CALLS', '1000001'],
  ['LLM_DAILY_TOKENS', '1e6'],
  ['LLM_DAILY_TOKENS', '1000000001'],
  ['REGISTRATION', 'off'],
  ['SMTP_URL', 'mail.example'],
  ['SMTP_URL', 'https://mail.example'],
  ['SMTP_URL', 'smtp://'],
  ['SMTP_URL', 'smtp://user:50%@mail.example'],
  ['SMTP_URL', 'smtp://mail.example/?tls=no'],
  ['MAIL_FROM', 'sky'],
  ['MAIL_FROM', 'Sky <sky@example.org>, other@example.org'],
  ['MAIL_FROM', 'Sky\r\nBcc: all@example.org <sky@example.org>'],
  ['METRICS_TOKEN', 'two words'],
  ['METRICS_TOKEN', 'line\nbreak'],
  ['METRICS_TOKEN', 'clé'],
  ['MAX_DEVICES_PER_USER', '0'],
  ['MAX_DEVICES_PER_USER', '10001'],
  ['CHECKS_PER_USER', '10001'],
  ['VITE_TAVERN_URL', 'javascript:alert(1)'],
  ['VITE_STAGE', 'beta'],
  ['LOG_LEVEL', 'loud'],
  ['TRUST_PROXY', '0.0.0.0/0'],
  ['TRUST_PROXY', '10.0.0.1,::/0'],
])('S28 %s=%s is refused with one line that names the setting', (name, value) => {
  const read = () => readConfig({ ...llm, [name]: value })
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(new RegExp(`^${name}: [^\\n]+$`))
})

test.each([
  'postgres://astro:p%40ss@db.example:5433/astro?sslmode=verify-full',
  'postgresql:///astro?host=/var/run/postgresql',
])('DATABASE_URL=%s is accepted unchanged', (databaseUrl) => {
  expect(readConfig({ DATABASE_URL: databaseUrl })).toMatchObject({ databaseUrl })
})

test('a refusal does not repeat the value: it may be a secret in the wrong place', () => {
  const names = ['HOST', 'PORT', 'PUBLIC_URL', 'DATABASE_URL', 'TRUST_PROXY', 'DEMO']
  const later = ['LLM_BASE_URL', 'LLM_API_KEY', 'LLM_MODELS', 'LLM_DAILY_CALLS', 'METRICS_TOKEN']
  const mails = ['REGISTRATION', 'SMTP_URL', 'MAIL_FROM']
  for (const name of [...names, ...later, ...mails]) {
    const read = () => readConfig({ [name]: 'two s3cr3t words' })
    expect(read).toThrow(ConfigError)
    expect(read).not.toThrow('s3cr3t')
  }
})

const domainOf = (env: Record<string, string>) => readConfig(env).relayDomain

test('R34 the relay’s domain needs https and must not contain the site', () => {
  const site = { PUBLIC_URL: 'https://sky.example' }
  expect(domainOf({ PUBLIC_URL: 'http://localhost:8080' })).toBe('localhost')
  expect(domainOf(site)).toBeUndefined()
  expect(domainOf({ ...site, RELAY_DOMAIN: 'islands.example' })).toBe('islands.example')
  expect(domainOf({ ...site, RELAY_DOMAIN: 'sky.example' })).toBe('sky.example')
  expect(() => domainOf({ ...site, RELAY_DOMAIN: 'example' })).toThrow(/PUBLIC_URL is there too/)
  for (const PUBLIC_URL of ['http://localhost:3000', 'http://pi.lan']) {
    const env = { PUBLIC_URL, RELAY_DOMAIN: 'islands.example' }
    expect(() => domainOf(env)).toThrow('RELAY_DOMAIN: needs a PUBLIC_URL with https')
  }
  for (const RELAY_DOMAIN of ['https://a.example', 'a.example:80', '10.0.0.7', '-a.example', '.']) {
    expect(() => domainOf({ ...site, RELAY_DOMAIN })).toThrow(/^RELAY_DOMAIN: must be the name/)
  }
})

const portsOf = (env: Record<string, string>) =>
  readConfig({ RELAY_TCP_PORTS: '25000-25000', ...env }).relayPorts

test('R35 ports for islands are a range without the site’s own port, and need a relay', () => {
  const site = { PUBLIC_URL: 'https://sky.example', RELAY_DOMAIN: 'islands.example' }
  const range = { first: 25_000, last: 25_000 }
  // Behind a proxy, ports listen on all addresses, although the site does not.
  expect(portsOf(site)).toEqual({ ...range, host: undefined })
  expect(portsOf({ ...site, HOST: '192.0.2.7' })).toEqual({ ...range, host: '192.0.2.7' })
  expect(portsOf({ PUBLIC_URL: 'http://localhost:3000' })).toEqual({ ...range, host: '127.0.0.1' })
  const without = { PUBLIC_URL: 'https://sky.example' }
  expect(() => portsOf(without)).toThrow('RELAY_TCP_PORTS: needs RELAY_DOMAIN')
  const taken = { ...site, RELAY_TCP_PORTS: '2999-3001' }
  expect(() => portsOf(taken)).toThrow('RELAY_TCP_PORTS: can’t hold 3000')
  for (const RELAY_TCP_PORTS of [
    '25000',
    '2-1',
    '0-5',
    '65535-65536',
    '1-10001',
    '1-2,4-5',
    'all',
  ]) {
    const env = { ...site, RELAY_TCP_PORTS }
    expect(() => portsOf(env)).toThrow(/^RELAY_TCP_PORTS: must be a range of at most 10000 ports/)
  }
})

test('INSTANCE_URL is an address of this server, never below the relay’s domain', () => {
  expect(readConfig({ INSTANCE_URL: 'http://[fd00::2]:3000/' }).instanceUrl).toBe(
    'http://[fd00::2]:3000',
  )
  for (const INSTANCE_URL of ['10.0.0.2:3000', 'http://10.0.0.2/path', 'ftp://10.0.0.2']) {
    expect(() => readConfig({ INSTANCE_URL })).toThrow(/^INSTANCE_URL: must be/)
  }
  const below = { RELAY_DOMAIN: 'islands.example', PUBLIC_URL: 'https://sky.example' }
  for (const env of [
    { INSTANCE_URL: 'http://one.localhost:3000' },
    { ...below, INSTANCE_URL: 'http://one.islands.example' },
  ]) {
    expect(() => readConfig(env)).toThrow(/^INSTANCE_URL: can’t be below/)
  }
})

test('R40 INSTANCE_URL is https, or in a private network', () => {
  for (const INSTANCE_URL of [
    'https://one.sky.example',
    'https://8.8.8.8',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
    'http://localhost:3000',
    'http://10.0.0.2:3000',
    'http://172.31.0.1',
    'http://192.168.1.1',
    'http://100.64.0.1',
    'http://[fd00::2]:3000',
    // As in Docker's networks.
    'http://server-1:3000',
    'http://one.internal',
  ]) {
    expect(readConfig({ INSTANCE_URL }).instanceUrl).toBe(INSTANCE_URL)
  }
  for (const INSTANCE_URL of [
    'http://one.sky.example',
    'http://8.8.8.8:3000',
    'http://172.32.0.1',
    'http://[2a00:1450:4001:81b::200e]',
    'http://10.0.0.2.sky.example',
    'http://localhost.sky.example',
  ]) {
    expect(() => readConfig({ INSTANCE_URL })).toThrow(/^INSTANCE_URL: must be https/)
  }
})

test('the installation’s name is a line of at most 40 characters', () => {
  expect(readConfig({ INSTALLATION_NAME: '  Harbour <b> & Sky ' }).siteName).toBe(
    'Harbour <b> & Sky',
  )
  expect(readConfig({ INSTALLATION_NAME: '' }).siteName).toBe('Astropelago')
  expect(readConfig({ INSTALLATION_NAME: '🛰'.repeat(40) }).siteName).toBe('🛰'.repeat(40))
  for (const name of ['   ', 'x'.repeat(41), 'Sky\u0000']) {
    expect(() => readConfig({ INSTALLATION_NAME: name })).toThrow(
      /^INSTALLATION_NAME: must be 1 to 40 characters of text$/,
    )
  }
})

test('GUIDES_DIR is a folder', async () => {
  const folder = await makeTempDir()
  expect(readConfig({ GUIDES_DIR: folder }).guidesDir).toBe(folder)
  for (const path of [join(folder, 'none'), import.meta.filename]) {
    expect(() => readConfig({ GUIDES_DIR: path })).toThrow(
      new ConfigError(`GUIDES_DIR: ${path} is no folder that can be read`),
    )
  }
})

test('the logo is an SVG or a PNG of at most 100 kB, recognized by its content', async () => {
  const folder = await makeTempDir()
  const logoOf = async (content: string | Buffer) => {
    const path = join(folder, 'logo')
    await writeFile(path, content)
    return readConfig({ INSTALLATION_LOGO: path }).siteLogo
  }
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(99_992)])
  expect(await logoOf(png)).toEqual({ type: 'image/png', content: png })
  for (const svg of [
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '\uFEFF<?xml version="1.0"?>\n<!-- a > b -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x">\n<svg>',
  ]) {
    expect(await logoOf(svg)).toMatchObject({ type: 'image/svg+xml' })
  }
  const path = join(folder, 'logo')
  for (const other of ['', 'GIF89a', '<html><svg></svg></html>', '<svgx/>']) {
    await expect(logoOf(other)).rejects.toThrow(
      `INSTALLATION_LOGO: ${path} must be an SVG or a PNG`,
    )
  }
  await expect(logoOf(Buffer.concat([png, Buffer.alloc(1)]))).rejects.toThrow(
    `INSTALLATION_LOGO: ${path} must have at most 100 kB`,
  )
  for (const unreadable of [folder, join(folder, 'none')]) {
    expect(() => readConfig({ INSTALLATION_LOGO: unreadable })).toThrow(
      new ConfigError(`INSTALLATION_LOGO: ${unreadable} can’t be read`),
    )
  }
})
