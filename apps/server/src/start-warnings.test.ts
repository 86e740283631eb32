import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { startWarnings } from './start-warnings.ts'

const behindProxy = { PUBLIC_URL: 'https://sky.example', TRUST_PROXY: '10.0.0.2' }
const warningsOf = (env: Record<string, string>) => startWarnings(readConfig(env))
/** With a proxy that is named. */
const warningsBehindProxy = (env: Record<string, string>) =>
  warningsOf({ TRUST_PROXY: '10.0.0.2', OPERATORS: 'ada', ...env })

test('default and good settings cause no warning', () => {
  expect(warningsOf({})).toEqual([])
  const good = {
    HOST: '0.0.0.0',
    PUBLIC_URL: 'https://sky.example',
    TRUST_PROXY: '10.0.0.2',
    ONLINE_WINDOW_S: '150',
    PATH: '/usr/bin',
    HOSTNAME: 'pi',
    NODE_ENV: 'production',
  }
  expect(warningsOf(good)).toEqual([])
})

test('a window shorter than the interval of our heartbeat commands causes a warning', () => {
  for (const seconds of ['1', '100', '120', '149']) {
    const [warning, ...more] = warningsOf({ ONLINE_WINDOW_S: seconds })
    expect(warning).toContain(`ONLINE_WINDOW_S is ${seconds}, but`)
    expect(warning).toContain('every 120 s')
    expect(warning).toContain('set it to 150 or more')
    expect(warning).not.toContain('\n')
    expect(more).toEqual([])
  }
})

test('S61 an address that others can open without PUBLIC_URL causes a warning', () => {
  expect(warningsOf({ HOST: '0.0.0.0' })).toEqual([expect.stringMatching(/^PUBLIC_URL is not set/)])
  expect(warningsOf({ HOST: '::1' })).toEqual([])
})

test('a name that is nearly a setting’s causes a warning with the right name', () => {
  expect(warningsOf({ PUBLIC_ULR: 'https://sky.example' })).toEqual([
    'PUBLIC_ULR is no setting: did you mean PUBLIC_URL?',
  ])
  expect(warningsOf({ LOGLEVEL: 'debug', TRUST_PROXYS: '10.0.0.1' })).toHaveLength(2)
})

test('a proxy that is not named causes a warning, and so does a sender without a mail server', () => {
  expect(warningsOf({ PUBLIC_URL: 'https://sky.example' })).toEqual([
    expect.stringMatching(/TRUST_PROXY is not set/),
  ])
  expect(warningsOf({ MAIL_FROM: 'sky@example.org' })).toEqual([
    expect.stringMatching(/^MAIL_FROM is set and SMTP_URL is not/),
  ])
})

test('S12 plain http beyond this machine causes a warning', () => {
  const warned = expect.stringMatching(/^PUBLIC_URL is plain http/)
  expect(warningsOf({ PUBLIC_URL: 'http://pi.lan:3000' })).toEqual([warned])
  expect(warningsOf({ PUBLIC_URL: 'http://localhost:3000' })).toEqual([])
})

test('links in e-mails that lead nowhere cause a warning', () => {
  const mail = { SMTP_URL: 'smtp://localhost', MAIL_FROM: 'sky@example.org' }
  expect(warningsOf(mail)).toEqual([expect.stringContaining('the links in e-mails')])
  expect(warningsOf({ ...mail, ...behindProxy })).toEqual([])
})

test('S55 R34 islands that share a registered domain with the site cause a warning with advice', () => {
  const PUBLIC_URL = 'https://sky.example.org'
  const warned = expect.stringMatching(
    /^RELAY_DOMAIN .* one registered domain.* lock visitors out.* on the Public Suffix List/,
  )
  for (const RELAY_DOMAIN of ['islands.example.org', 'sky.example.org', 'i.sky.example.org']) {
    expect(warningsBehindProxy({ PUBLIC_URL, RELAY_DOMAIN })).toEqual([warned])
  }
  expect(warningsBehindProxy({ PUBLIC_URL, RELAY_DOMAIN: 'islands.example' })).toEqual([])
  const british = { PUBLIC_URL: 'https://sky.co.uk', RELAY_DOMAIN: 'islands.co.uk' }
  expect(warningsBehindProxy(british)).toEqual([])
  expect(warningsBehindProxy({ ...british, RELAY_DOMAIN: 'islands.sky.co.uk' })).toEqual([warned])
})

test('S53 a setting that opens the network to everybody causes a warning', () => {
  const settings = { ALLOW_PRIVATE_TARGETS: 'on', PUBLIC_URL: 'https://sky.example' }
  expect(warningsBehindProxy(settings)).toEqual([
    expect.stringMatching(/^ALLOW_PRIVATE_TARGETS is on/),
  ])
  expect(warningsBehindProxy({ ...settings, REGISTRATION: 'invite' })).toEqual([])
  expect(warningsBehindProxy({ ALLOW_PRIVATE_TARGETS: 'on' })).toEqual([])
})

test('R40 plain http between servers causes a warning, except on this machine', () => {
  for (const INSTANCE_URL of ['http://10.0.0.2:3000', 'http://server-1:3000']) {
    expect(warningsOf({ INSTANCE_URL })).toEqual([
      expect.stringMatching(/^INSTANCE_URL is plain http/),
    ])
  }
  for (const INSTANCE_URL of ['https://10.0.0.2:3000', 'http://127.0.0.1:3000', 'http://[::1]']) {
    expect(warningsOf({ INSTANCE_URL })).toEqual([])
  }
})

test('a lounge that nobody could moderate causes a warning, where strangers come', () => {
  const islands = { RELAY_DOMAIN: 'islands.example', TRUST_PROXY: '10.0.0.2' }
  const open = { ...islands, PUBLIC_URL: 'https://sky.example' }
  expect(warningsOf(open)).toEqual([expect.stringMatching(/^OPERATORS is not set: .* only read/)])
  expect(warningsOf({ ...open, OPERATORS: 'ada' })).toEqual([])
  expect(warningsOf({ RELAY_DOMAIN: 'localhost' })).toEqual([])
})
