import { expect, test } from 'vitest'
import { sampleDevice } from '../test/samples.ts'
import { draftOf, emptyDraft, notANumber, readDraft } from './device-draft.ts'

const typed = { ...emptyDraft, label: ' Harbour Pi ', lat: '48.2', lon: ' -16.37 ' }

test('a link that was not typed is not sent; public and within 10 km, unless one says otherwise', () => {
  expect(readDraft({ ...typed, link: '  ' })).toEqual({
    body: {
      label: 'Harbour Pi',
      lat: 48.2,
      lon: -16.37,
      precision: 'km10',
      visibility: 'public',
    },
  })
})

test('a link and a visibility are sent as they were typed and chosen', () => {
  const reading = readDraft({ ...typed, link: ' https://island.example ', visibility: 'private' })
  expect(reading).toMatchObject({
    body: { link: 'https://island.example', visibility: 'private' },
  })
})

test('label, lat and lon are required, and each field shows its own error', () => {
  expect(readDraft({ ...emptyDraft, label: ' ' })).toEqual({
    problems: { label: 'Enter a label.', lat: notANumber, lon: notANumber },
  })
})

test('a decimal comma is an error of its field only', () => {
  expect(readDraft({ ...typed, lat: '48,2' })).toEqual({
    problems: { lat: notANumber },
  })
})

test('no bounds are checked: the server judges them', () => {
  expect(readDraft({ ...typed, lat: '91', lon: '-1000' })).toHaveProperty('body')
})

test('a device is edited as it is', () => {
  const device = sampleDevice({
    label: 'Harbour Pi',
    lat: 48.2,
    lon: -16.37,
    precision: 'exact',
    visibility: 'private',
  })
  expect(readDraft(draftOf(device))).toMatchObject({
    body: {
      label: 'Harbour Pi',
      lat: 48.2,
      lon: -16.37,
      precision: 'exact',
      visibility: 'private',
    },
  })
})

test.each([
  { kind: 'period', periodS: 900, graceS: 90 },
  { kind: 'period', periodS: 7200, graceS: 0 },
  { kind: 'period', periodS: 3 * 86_400, graceS: 86_400 },
  { kind: 'period', periodS: 61, graceS: 1 },
  { kind: 'cron', expression: '30 4 * * mon', timeZone: 'America/New_York', graceS: 600 },
] as const)('a schedule is edited as it is: %o', (schedule) => {
  expect(readDraft(draftOf(sampleDevice({ schedule })))).toMatchObject({ body: { schedule } })
})

test('a schedule that can’t be sent says so at its fields', () => {
  const period = { ...typed, schedule: 'period', period: '31', periodUnit: 'd' } as const
  expect(readDraft({ ...period, graceMinutes: '' })).toEqual({
    problems: {
      period: 'Enter a time from 1 minute to 30 days.',
      graceMinutes: 'Enter minutes, from 0 to 43200.',
    },
  })
  expect(readDraft({ ...typed, schedule: 'cron', cron: '61 4 * * *' })).toEqual({
    problems: { cron: expect.stringMatching(/^Minutes are from 0 to 59/) },
  })
  // What was typed for another kind does not matter.
  expect(readDraft({ ...typed, cron: 'x', period: '' })).toHaveProperty('body')
})
