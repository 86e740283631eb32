import { expect, test } from 'vitest'
import { ownOrigin } from './own-origin.ts'

const publicUrl = 'http://localhost:3000'
const unset = ownOrigin({ publicUrl, hasPublicUrl: false })

test.each([
  'pi.lan:3000',
  'pi',
  'pi:3000',
  'PI.LOCAL',
  'sky.home.arpa',
  'sky.internal',
  'a.localhost',
  '192.168.1.20:3000',
  '[fe80::1]:3000',
  '203.0.113.7',
])('S61 without PUBLIC_URL, %s is one of this server’s own addresses', (host) => {
  expect(unset({ host, protocol: 'http' })).toBe(new URL(`http://${host}`).origin)
})

test.each(['evil.example', 'pi.lan.evil.example:3000', '', 'pi.lan@evil', 'pi.lan/x', 'a b'])(
  'S61 the name %j could be a stranger’s',
  (host) => {
    expect(unset({ host, protocol: 'http' })).toBe(publicUrl)
  },
)

test('PUBLIC_URL is the only origin if it is set', () => {
  const set = ownOrigin({ publicUrl: 'https://sky.example', hasPublicUrl: true })
  expect(set({ host: 'pi.lan:3000', protocol: 'http' })).toBe('https://sky.example')
})
