import { importLinesMax, importMaxBytes } from '@astropelago/contract/limits'
import { expect, test } from 'vitest'
import { shareTestApp } from '../../../test/create-test-app.ts'
import { pastMainThreadBudgetMs, processorMs } from '../../../test/main-thread-budget.ts'

/** Repeats a piece until the file has its maximum size. */
function repeated(piece: string, start = 'label,lat,lon,link\n'): string {
  const count = Math.floor((importMaxBytes - Buffer.byteLength(start)) / Buffer.byteLength(piece))
  return start + piece.repeat(count)
}

function lines(line: (at: number) => string): string {
  return `label,lat,lon,link\n${Array.from({ length: importLinesMax }, (_, at) => line(at)).join('\n')}`
}

const options = { config: { maxDevicesPerUser: 10_000 } }
const wide = Math.floor(importMaxBytes / importLinesMax) - 40

/** The most processor time that this thread spends in one turn of the event loop while a task runs. */
async function longestTurnMs(task: () => Promise<unknown>): Promise<number> {
  let longestMs = 0
  let isOver = false
  let before = process.threadCpuUsage()
  const measure = () => {
    longestMs = Math.max(longestMs, processorMs(before))
    before = process.threadCpuUsage()
  }
  const look = () => {
    measure()
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  await task()
  measure()
  isOver = true
  return longestMs
}

test.each([
  [
    'good lines, with tokens',
    lines((at) => `Device ${at},1.5,${at / 10},https://sky.example/${at}`),
  ],
  ['labels of marks', lines(() => `${'à̖́'.repeat(Math.floor(wide / 7))},1,2,`)],
  ['long links', lines((at) => `Pi,1,2,https://sky.example/${'a'.repeat(wide - 20)}${at}`)],
  ['lines without a character', repeated('\n')],
  ['lines of empty cells', repeated(',,,\n')],
  ['pairs of quotation marks', repeated('""\n')],
  ['quotation marks in a cell', repeated('""', 'label,lat,lon\n"')],
  ['one column', repeated('x', '')],
])('S47 a file of %s takes at most 20 ms of one turn', async (_, payload) => {
  const { signUp } = await shareTestApp(options)
  const { inject } = await signUp()
  const send = (query: string) => {
    const headers = { 'content-type': 'text/csv' }
    return inject({ method: 'POST', url: `/api/me/devices.csv?${query}`, payload, headers })
  }
  const pastMs = await pastMainThreadBudgetMs(async () =>
    Math.max(
      await longestTurnMs(() => send('dryRun=true')),
      await longestTurnMs(() => send('tokens=true')),
      await longestTurnMs(() => inject({ url: '/api/me/devices.csv' })),
    ),
  )
  expect(pastMs).toBeUndefined()
})
