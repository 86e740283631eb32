import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { NewDeviceSchedule, readCron } from './device-schedules.ts'

describe('readCron', () => {
  const everyMonth = Array.from({ length: 12 }, (_, at) => at + 1)

  test('reads lists, ranges, steps and names', () => {
    expect(readCron('*/20 9-17/4 * jan,MAR *')).toEqual({
      minutes: [0, 20, 40],
      hours: [9, 13, 17],
      days: undefined,
      months: [1, 3],
      weekdays: undefined,
    })
    expect(readCron('0 0 1,15 * fri-sun')).toEqual({
      minutes: [0],
      hours: [0],
      days: [1, 15],
      months: everyMonth,
      weekdays: [0, 5, 6],
    })
    expect(readCron('5-5 0 29 2 0,7')).toMatchObject({ minutes: [5], days: [29], weekdays: [0] })
    expect(readCron('0 0 31 2 mon')).toMatchObject({ weekdays: [1] })
  })

  test.each([
    ['* * * *', /five fields/],
    ['@daily', /five fields/],
    ['60 * * * *', /^Minutes are from 0 to 59/],
    ['5/15 * * * *', /^Minutes/],
    ['*/0 * * * *', /^Minutes/],
    ['1, * * * *', /^Minutes/],
    ['* 5-1 * * *', /^Hours/],
    ['* */24 * * *', /^Hours/],
    ['* * L * *', /^Days of the month/],
    ['* * * 13 *', /^Months/],
    ['* * * * mon#2', /^Days of the week/],
    ['0 0 30 2 *', /None of these months/],
    ['0 0 31 4,6 *', /None of these months/],
  ])('says what is wrong with %s', (expression, sentence) => {
    expect(readCron(expression)).toMatch(sentence)
  })
})

test('a schedule is kept in one form', () => {
  const typed = { graceS: 0, timeZone: 'UTC', expression: ' 0  0 * *\t1 ', kind: 'cron' }
  expect(JSON.stringify(v.parse(NewDeviceSchedule, typed))).toBe(
    '{"kind":"cron","expression":"0 0 * * 1","timeZone":"UTC","graceS":0}',
  )
})
