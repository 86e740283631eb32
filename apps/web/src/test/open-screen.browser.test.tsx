import { getMe } from '@astropelago/contract/me'
import { deleteDevice, registerDevice } from '@astropelago/contract/devices'
import { useEffect } from 'react'
import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { call } from '../lib/call.ts'
import { pageFeed } from '../lib/live-feed/page-feed.ts'
import { expectNoSidewaysScroll } from './accessibility.ts'
import { answerApi, refused } from './answer-api.ts'
import { answerFeed } from './answer-feed.ts'
import { watchDepartures } from './departures.ts'
import { allowMotion } from './emulation.ts'
import { openPart } from './open-screen.tsx'
import { takeProblem } from './page-problems.ts'
import { sampleDevice, sampleUser } from './samples.ts'

test('a call that nobody answers is a problem', async () => {
  await expect(call(getMe)).rejects.toThrow('No answer came')
  takeProblem(/a call without an answer: GET \/api\/me/)
})

test('an answer that the server would never send is a problem', async () => {
  // JSON.parse bypasses the types, as untyped fixtures would.
  answerApi(getMe, JSON.parse('{"status":200,"body":{"user":{"username":7}}}'))
  await expect(call(getMe)).rejects.toThrow('No answer came')
  takeProblem(/GET \/api\/me never answers this/)

  answerApi(getMe, refused('device_limit'))
  await expect(call(getMe)).rejects.toThrow('No answer came')
  takeProblem(/GET \/api\/me never refuses with device_limit/)
})

test('a request that the server would refuse is a problem where it is not refused', async () => {
  const body = { label: '', lat: 91, lon: 0 }
  answerApi(registerDevice, refused('invalid_device'))
  await expect(call(registerDevice, { body })).rejects.toThrow('400 invalid_device')

  answerApi(registerDevice, { status: 201, body: sampleDevice() })
  await call(registerDevice, { body })
  takeProblem(/the page sent a body that the server refuses/)
})

test('what was asked is told, with the parameters of the path', async () => {
  const asked = answerApi(deleteDevice, { status: 204 })
  await call(deleteDevice, { params: { id: 'a b' } })
  expect(asked).toMatchObject([{ params: { id: 'a b' } }])
})

test('what a page asks on its way out is answered still', async () => {
  const asked = answerApi(deleteDevice, { status: 204 })
  onTestFinished(() => expect(asked).toHaveLength(1))
  await openPart(<AsksOnItsWayOut />)
})

function AsksOnItsWayOut() {
  useEffect(() => () => void call(deleteDevice, { params: { id: 'd1' } }), [])
  return <p>A part</p>
}

test('an error in the console is a problem', async () => {
  await openPart(<input aria-label="Name" value="fixed" />)
  await expect.element(page.getByLabelText('Name')).toBeVisible()
  takeProblem(/console\.error: You provided a `value` prop/)
})

test('leaving the page is a problem, unless it is expected', async () => {
  await openPart(<p>A part</p>)
  window.location.assign('/elsewhere')
  takeProblem(/the page left: push \/elsewhere/)

  const departures = watchDepartures()
  window.location.reload()
  await expect.poll(() => departures).toEqual([{ type: 'reload', to: '/' }])
})

test('who is signed in is answered for, and the address is the one asked for', async () => {
  await openPart(<p>A part</p>, { path: '/account?a=b', user: sampleUser })
  expect(window.location.pathname + window.location.search).toBe('/account?a=b')
  await expect(call(getMe)).resolves.toEqual({ user: sampleUser })
})

test('nothing moves, unless it is allowed to', async () => {
  const { matches: isStill } = window.matchMedia('(prefers-reduced-motion: reduce)')
  expect(isStill).toBe(true)
  await allowMotion()
  expect(window.matchMedia('(prefers-reduced-motion: no-preference)').matches).toBe(true)
})

test('what is too wide for a narrow screen is found', async () => {
  await openPart(<div className="w-[400px]">Wide</div>)
  await expect(expectNoSidewaysScroll()).rejects.toThrow('needed on a screen of 320')
})

test('the live feed connects, and tells the page what the test says', async () => {
  const feed = answerFeed()
  const told: string[] = []
  const subscription = pageFeed?.join({
    onChanges: ({ removedIds }) => told.push(...removedIds),
    onReload: () => told.push('reload'),
  })
  subscription?.startAt({ epoch: 'test', number: 0 })
  await expect.poll(() => pageFeed?.state.phase).toBe('live')
  feed.tell({ type: 'device-removed', payload: { id: 'gone' } })
  feed.tell({ type: 'reload' })
  await expect.poll(() => told).toEqual(['gone', 'reload'])
  subscription?.leave()
  await expect.poll(() => feed.open()).toBe(0)
})
