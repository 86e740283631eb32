import { expect, test } from 'vitest'
import { notANumber } from './device-draft.ts'
import { noteOn, reachOf } from './field-notes.ts'

test.each([
  ['label', 'x'.repeat(65), 'A label has 1 to 64 characters, all of them visible.'],
  ['label', '\u2800', 'A label has 1 to 64 characters, all of them visible.'],
  ['lat', '90.1', 'Latitude is a number from -90 to 90.'],
  ['lat', '48,2', notANumber],
  ['lon', '-180.5', 'Longitude is a number from -180 to 180.'],
  ['link', 'ftp://island.example', expect.stringMatching(/^A link is a whole http or https/)],
  ['link', 'island.example', expect.stringMatching(/^A link is a whole http or https/)],
] as const)('%s %j is what the server would refuse, in its words', (field, text, sentence) => {
  expect(noteOn(field, text)).toEqual(sentence)
})

test.each([
  ['http://192.168.1.20', 'Only people in the same network can open this address.'],
  ['http://pi.local:8080', 'Only people in the same network can open this address.'],
  ['http://localhost:3000', 'Only this computer can open this address. Others can’t.'],
])('the link %s says who can open it', (link, sentence) => {
  expect(noteOn('link', link)).toBe(sentence)
})

test.each([
  ['label', 'x'.repeat(64)],
  ['lat', ' -90 '],
  ['lon', '180'],
  ['link', 'https://island.example'],
  ['label', '  '],
  ['lat', ''],
  ['link', ''],
] as const)('%s %j needs no word', (field, text) => {
  expect(noteOn(field, text)).toBeUndefined()
})

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
