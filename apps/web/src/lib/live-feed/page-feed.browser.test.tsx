import { expect, onTestFinished, test, vi } from 'vitest'
import { answerFeed } from '../../test/answer-feed.ts'
import { holdTime } from '../../test/emulation.ts'
import { pageFeed } from './page-feed.ts'

test('a page that was hidden for an hour gives its connection back, and catches up with one', async () => {
  holdTime()
  const feed = answerFeed()
  const told: string[] = []
  const subscription = pageFeed?.join({
    onChanges: ({ removedIds }) => told.push(...removedIds),
    onReload: () => told.push('reload'),
  })
  subscription?.startAt({ epoch: 'test', number: 0 })
  onTestFinished(() => subscription?.leave())
  await expect.poll(() => feed.open()).toBe(1)
  hide(true)
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(feed.open()).toBe(0)
  hide(false)
  await expect.poll(() => feed.open()).toBe(1)
  feed.tell({ type: 'device-removed', payload: { id: 'gone' } })
  await expect.poll(() => told).toEqual(['gone'])
})

function hide(isHidden: boolean): void {
  const visible = vi.spyOn(document, 'visibilityState', 'get')
  visible.mockReturnValue(isHidden ? 'hidden' : 'visible')
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden)
  document.dispatchEvent(new Event('visibilitychange'))
  onTestFinished(() => {
    visible.mockRestore()
    hidden.mockRestore()
  })
}
