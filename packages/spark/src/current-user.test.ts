import { expect, test, vi } from 'vitest'
import { createCurrentUser } from './current-user.ts'
import { answeringServer } from './testing/answering-server.ts'

const nova = { username: 'nova', name: null, avatar: null, login: 'nova', avatarUrl: null }

test('a user is asked for once, also when many ask at the same time', async () => {
  const received = await answeringServer(() => ({ body: JSON.stringify(nova) }))
  const user = createCurrentUser()
  expect(await Promise.all([user(), user()])).toEqual([nova, nova])
  expect(await user()).toEqual(nova)
  expect(received).toHaveLength(1)
})

test('a visitor is null, and is asked for anew: they may have signed in since', async () => {
  const answers = ['null', JSON.stringify(nova)]
  await answeringServer(() => ({ body: answers.shift() ?? '' }))
  const user = createCurrentUser()
  expect(await user()).toBeNull()
  expect(await user()).toEqual(nova)
})

test.each([{ status: 500, statusText: 'Server Down' }, { body: '<html>' }])(
  'a failure, %j, is logged and counts as nobody; it is not kept',
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
