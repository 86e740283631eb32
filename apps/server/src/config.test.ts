import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const defaults = {
  host: '127.0.0.1',
  port: 3000,
  publicUrl: 'http://localhost:3000',
  dataDir: resolve(import.meta.dirname, '../../../data'),
  webDir: resolve(import.meta.dirname, '../../web/dist'),
  onlineWindowMs: 300_000,
  trustProxy: [],
  demo: true,
  limitExempt: [],
}

test('without settings the defaults hold', () => {
  expect(readConfig({})).toEqual(defaults)
})

test('an empty variable counts as unset, an unknown one is passed over', () => {
  const names = ['HOST', 'PORT', 'PUBLIC_URL', 'DATA_DIR', 'WEB_DIR', 'DATABASE_URL']
  const empty = [...names, 'ONLINE_WINDOW_S', 'TRUST_PROXY', 'DEMO', 'LIMIT_EXEMPT'].map((name) => [
    name,
    '',
  ])
  expect(readConfig({ ...Object.fromEntries(empty), PATH: '/usr/bin' })).toEqual(defaults)
})

test.each([
  ['HOST', '::', { host: '::' }],
  ['HOST', 'sky.example', { host: 'sky.example' }],
  ['PORT', '0', { port: 0, publicUrl: 'http://localhost:0' }],
  ['PORT', '65535', { port: 65_535, publicUrl: 'http://localhost:65535' }],
  ['PUBLIC_URL', 'https://sky.example', { publicUrl: 'https://sky.example' }],
  ['PUBLIC_URL', 'https://SKY.example:443/', { publicUrl: 'https://sky.example' }],
  ['PUBLIC_URL', 'http://192.168.0.7:8080', { publicUrl: 'http://192.168.0.7:8080' }],
  ['DATA_DIR', '/var/lib/astropelago', { dataDir: '/var/lib/astropelago' }],
  ['DATA_DIR', 'here', { dataDir: resolve('here') }],
  ['WEB_DIR', '/srv/astropelago', { webDir: '/srv/astropelago' }],
  ['ONLINE_WINDOW_S', '2', { onlineWindowMs: 2000 }],
  ['TRUST_PROXY', '127.0.0.1, 10.0.0.0/8,::1', { trustProxy: ['127.0.0.1', '10.0.0.0/8', '::1'] }],
  ['DEMO', 'off', { demo: false }],
  ['DEMO', 'on', { demo: true }],
  ['LIMIT_EXEMPT', '192.168.0.0/16,fd00::/8', { limitExempt: ['192.168.0.0/16', 'fd00::/8'] }],
])('%s=%s is taken', (name, value, expected) => {
  expect(readConfig({ [name]: value })).toEqual({ ...defaults, ...expected })
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
  ['DATABASE_URL', 'postgres://localhost/astro'],
  ['ONLINE_WINDOW_S', '0'],
  ['ONLINE_WINDOW_S', '1.5'],
  ['ONLINE_WINDOW_S', 'five'],
  ['TRUST_PROXY', 'true'],
  ['TRUST_PROXY', '127.0.0.1,'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', '::/129'],
  ['TRUST_PROXY', '1.2.3'],
  ['DEMO', 'yes'],
  ['LIMIT_EXEMPT', 'localhost'],
  ['LIMIT_EXEMPT', '999.0.0.1'],
])('%s=%s is refused with one line that names the setting', (name, value) => {
  const read = () => readConfig({ [name]: value })
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(new RegExp(`^${name}: [^\\n]+$`))
})

test('a refusal does not repeat the value: it may be a secret in the wrong place', () => {
  for (const name of ['HOST', 'PORT', 'PUBLIC_URL', 'DATABASE_URL', 'TRUST_PROXY', 'DEMO']) {
    expect(() => readConfig({ [name]: 'two s3cr3t words' })).not.toThrow('s3cr3t')
  }
})
