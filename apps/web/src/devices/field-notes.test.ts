import { expect, test } from 'vitest'
import { notANumber } from './device-draft.ts'
import { noteOn } from './field-notes.ts'

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
