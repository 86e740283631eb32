import { expect, test } from 'vitest'
import { reachOf } from './field-notes.ts'

test.each([
  'http://10.0.0.7',
  'http://10.255.255.255:8080/path',
  'http://172.16.0.1',
  'http://172.31.255.1',
  'http://192.168.1.20',
  'http://169.254.3.4',
  'http://0xC0A80101',
  'http://pi.local',
  'http://PI.LAN:3000',
  'http://pi.lan.',
  'http://printer.home.arpa',
  'http://harbour-pi',
  'http://[fd12:3456::1]',
  'http://[fc00::1]',
  'http://[fe80::1]',
  'http://[febf::1]',
  'http://[::ffff:192.168.1.20]',
])('%s is for its network alone', (link) => {
  expect(reachOf(link)).toBe('network')
})

test.each([
  'http://localhost:3000',
  'http://app.localhost',
  'http://127.0.0.1',
  'http://127.9.9.9',
  'http://0.0.0.0:8080',
  'http://[::1]:3000',
  'http://[::ffff:127.0.0.1]',
])('%s is for its computer alone', (link) => {
  expect(reachOf(link)).toBe('computer')
})

test.each([
  'https://island.example',
  'https://9.255.255.255',
  'http://11.0.0.1',
  'http://172.15.0.1',
  'http://172.32.0.1',
  'http://192.169.0.1',
  'http://169.253.0.1',
  'http://[2001:db8::1]',
  'http://[fec0::1]',
  'http://[::ffff:8.8.8.8]',
  'https://local.example',
  'https://fdp.example',
  'https://10.example',
])('%s is for everyone', (link) => {
  expect(reachOf(link)).toBe('everyone')
})

test.each(['', 'harbour pi', 'http://', 'mailto:pi@lan'])('%j has no host', (link) => {
  expect(reachOf(link)).toBeUndefined()
})
