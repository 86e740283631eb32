import { expect, onTestFinished, test, vi } from 'vitest'
import { openPart } from '../test/open-screen.tsx'
import { useWhenIdle } from './use-when-idle.ts'

function Page({ fetchAhead }: { fetchAhead: () => void }) {
  useWhenIdle(fetchAhead)
  return null
}

test('what is likely to be pressed is fetched once the browser is idle', async () => {
  const fetchAhead = vi.fn<() => void>()
  await openPart(<Page fetchAhead={fetchAhead} />)
  await expect.poll(() => fetchAhead.mock.calls).toHaveLength(1)
})

test('never where data is saved', async () => {
  const isIdle = Promise.withResolvers<void>()
  Object.defineProperty(navigator, 'connection', {
    value: { saveData: true },
    configurable: true,
  })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'connection'))
  const fetchAhead = vi.fn<() => void>()
  await openPart(<Page fetchAhead={fetchAhead} />)
  requestIdleCallback(() => isIdle.resolve())
  await isIdle.promise
  expect(fetchAhead).not.toHaveBeenCalled()
})
