import { expect, test, vi } from 'vitest'
import { createCurrentUser } from './current-user.ts'
import { answeringServer } from './testing/answering-server.ts'

const nova = { username: 'nova', name: null, avatar: null, login: 'nova', avatarUrl: null }

test('the user is fetched once, even for simultaneous calls', async () => {
  const received = await answeringServer(() => ({ body: JSON.stringify(nova) }))
  const user = createCurrentUser()
  expect(await Promise.all([user(), user()])).toEqual([nova, nova])
  expect(await user()).toEqual(nova)
  expect(received).toHaveLength(1)
})

test('a visitor is null and fetched again, because they may sign in', async () => {
  const answers = ['null', JSON.stringify(nova)]
  await answeringServer(() => ({ body: answers.shift() ?? '' }))
  const user = createCurrentUser()
  expect(await user()).toBeNull()
  expect(await user()).toEqual(nova)
})

test.each([{ status: 500, statusText: 'Server Down' }, { body: '<html>' }])(
  'a failure, %j, is logged, returns null and is not cached',
  async (failure) => {
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    const answers = [failure, { body: JSON.stringify(nova) }]
    await answeringServer(() => answers.shift() ?? {})
    const user = createCurrentUser()
    expect(await user()).toBeNull()
    expect(logged).toHaveBeenCalledOnce()
    expect(await user()).toEqual(nova)
  },
)
