import { expect, onTestFinished, test, vi } from 'vitest'
import { openPart } from '../test/open-screen.tsx'
import { useWhenIdle } from './use-when-idle.ts'

function Page({ fetchAhead }: { fetchAhead: () => void }) {
  useWhenIdle(fetchAhead)
  return null
}

test('likely targets are fetched once the browser is idle', async () => {
  const fetchAhead = vi.fn<() => void>()
  await openPart(<Page fetchAhead={fetchAhead} />)
  await expect.poll(() => fetchAhead.mock.calls).toHaveLength(1)
})

test('nothing is fetched ahead if the visitor saves data', async () => {
  const wait = vi.spyOn(window, 'requestIdleCallback')
  Object.defineProperty(navigator, 'connection', {
    value: { saveData: true },
    configurable: true,
  })
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'connection')
    wait.mockRestore()
  })
  const fetchAhead = vi.fn<() => void>()
  await openPart(<Page fetchAhead={fetchAhead} />)
  expect(document.readyState).toBe('complete')
  expect(wait).not.toHaveBeenCalled()
})
