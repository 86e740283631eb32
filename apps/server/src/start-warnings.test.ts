import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { startWarnings } from './start-warnings.ts'

const warningsOf = (env: Record<string, string>) => startWarnings(readConfig(env))

test('the settings as they are, and good ones, are warned of by nothing', () => {
  expect(warningsOf({})).toEqual([])
  const good = { HOST: '0.0.0.0', PUBLIC_URL: 'https://sky.example', ONLINE_WINDOW_S: '150' }
  expect(warningsOf(good)).toEqual([])
})

test('a window in which the next heartbeat of our commands need not have come is warned of', () => {
  for (const seconds of ['1', '100', '120', '149']) {
    const [warning, ...more] = warningsOf({ ONLINE_WINDOW_S: seconds })
    expect(warning).toContain(`ONLINE_WINDOW_S is ${seconds}, but`)
    expect(warning).toContain('every 120 s')
    expect(warning).toContain('set it to 150 or more')
    expect(warning).not.toContain('\n')
    expect(more).toEqual([])
  }
})

test('S61 an address that others open without PUBLIC_URL is warned of', () => {
  expect(warningsOf({ HOST: '0.0.0.0' })).toEqual([expect.stringMatching(/^PUBLIC_URL is not set/)])
  expect(warningsOf({ HOST: '::1' })).toEqual([])
})

test('plain http beyond this machine is warned of', () => {
  const warned = expect.stringMatching(/^PUBLIC_URL is plain http/)
  expect(warningsOf({ PUBLIC_URL: 'http://pi.lan:3000' })).toEqual([warned])
  expect(warningsOf({ PUBLIC_URL: 'http://localhost:3000' })).toEqual([])
})

test('e-mails whose links lead nowhere are warned of', () => {
  const mail = { SMTP_URL: 'smtp://localhost', MAIL_FROM: 'sky@example.org' }
  expect(warningsOf(mail)).toEqual([expect.stringContaining('the links in e-mails')])
  expect(warningsOf({ ...mail, PUBLIC_URL: 'https://sky.example' })).toEqual([])
})

test('R34 islands that share a registered domain with the site are warned of, with what ends it', () => {
  const PUBLIC_URL = 'https://sky.example.org'
  const warned = expect.stringMatching(
    /^RELAY_DOMAIN .* one registered domain.* lock visitors out.* on the Public Suffix List/,
  )
  for (const RELAY_DOMAIN of ['islands.example.org', 'sky.example.org', 'i.sky.example.org']) {
    expect(warningsOf({ PUBLIC_URL, RELAY_DOMAIN })).toEqual([warned])
  }
  expect(warningsOf({ PUBLIC_URL, RELAY_DOMAIN: 'islands.example' })).toEqual([])
  const british = { PUBLIC_URL: 'https://sky.co.uk', RELAY_DOMAIN: 'islands.co.uk' }
  expect(warningsOf(british)).toEqual([])
  expect(warningsOf({ ...british, RELAY_DOMAIN: 'islands.sky.co.uk' })).toEqual([warned])
})

test('S53 a way into one’s own network that anybody can take is warned of', () => {
  const settings = { ALLOW_PRIVATE_TARGETS: 'on', PUBLIC_URL: 'https://sky.example' }
  expect(warningsOf(settings)).toEqual([expect.stringMatching(/^ALLOW_PRIVATE_TARGETS is on/)])
  expect(warningsOf({ ...settings, REGISTRATION: 'invite' })).toEqual([])
  expect(warningsOf({ ALLOW_PRIVATE_TARGETS: 'on' })).toEqual([])
})
