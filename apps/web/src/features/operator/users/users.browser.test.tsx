import { removeUserAvatar } from '@astropelago/contract/avatars'
import {
  createUser,
  deleteUser,
  disableUser,
  endUserSessions,
  getUser,
  listUserDevices,
  listUsers,
  removeDevice,
} from '@astropelago/contract/operator'
import {
  distrustHost,
  startUserRelay,
  stopUserRelay,
  trustHost,
} from '@astropelago/contract/operator-relay'
import { createResetCode } from '@astropelago/contract/passwords'
import { hideSubject } from '@astropelago/contract/reports'
import { describe, expect, test } from 'vitest'
import { cleanup } from 'vitest-browser-react/pure'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible, expectAccessibleOnDesktop } from '../../../test/accessibility.ts'
import { answerApi, refused } from '../../../test/answer-api.ts'
import { samplePicture } from '../../../test/samples.ts'
import {
  openOperator,
  sampleOperatorDevice,
  sampleOperatorUser,
} from '../testing/open-operator.tsx'

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog')
const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true })
const list = page.getByRole('region', { name: 'Users' })
const search = page.getByRole('searchbox', { name: 'Search users' })

function answerUsers(count: number) {
  const all = Array.from({ length: count }, (_, at) =>
    sampleOperatorUser({ username: `nav-${String(at).padStart(4, '0')}` }),
  )
  return answerApi(listUsers, ({ query: { search: wanted = '', after = '', limit } }) => {
    const found = all.filter(({ username }) => username.includes(wanted) && username > after)
    const users = found.slice(0, limit)
    const hasMore = found.length > limit
    const next = hasMore ? (users.at(-1)?.username ?? null) : null
    return { status: 200, body: { users, hasMore, next } }
  })
}

async function openUser(
  user = sampleOperatorUser(),
  devices: readonly ReturnType<typeof sampleOperatorDevice>[] = [],
) {
  let present: typeof user | undefined = user
  answerApi(getUser, () =>
    present === undefined ? refused('not_found') : { status: 200, body: present },
  )
  answerApi(listUserDevices, { status: 200, body: [...devices] })
  await openOperator(`/users?user=${user.username}`)
  await expect.element(page.getByRole('heading', { name: user.username, level: 2 })).toBeVisible()
  return { become: (next: typeof present) => (present = next) }
}

describe('the list', () => {
  test('searches while typing, keeps the search in the address, and says if it finds nobody', async () => {
    const asked = answerUsers(3)
    await openOperator('/users')
    await expect.element(page.getByRole('row')).toHaveLength(4)
    await search.fill(' 0002 ')
    await expect.element(page.getByRole('row')).toHaveLength(2)
    await expect.poll(() => window.location.search).toContain('q=')
    expect(asked.at(-1)?.query).toMatchObject({ search: '0002' })
    await search.fill('nobody')
    await expect.element(list).toMatchTextContent('Nobody has this name')
  })

  test('keeps its filter and order in the address', async () => {
    const asked = answerUsers(1)
    await openOperator('/users?only=disabled')
    await expect.element(page.getByLabelText('Show')).toHaveValue('disabled')
    expect(asked.at(-1)?.query).toMatchObject({ only: 'disabled', sort: 'username' })
    await page.getByLabelText('Order').selectOptions('Last seen first')
    await expect
      .poll(() => asked.at(-1)?.query)
      .toMatchObject({ only: 'disabled', sort: 'last-seen' })
    expect(window.location.search).toBe('?only=disabled&sort=last-seen')
    await page.getByLabelText('Show').selectOptions('Everybody')
    await expect.poll(() => window.location.search).toBe('?sort=last-seen')
  })

  test('loads page by page, on a phone too', async () => {
    answerUsers(120)
    await page.viewport(360, 900)
    await openOperator('/users')
    const items = page.getByRole('list', { name: 'Users' }).getByRole('listitem')
    await expect.element(items).toHaveLength(50)
    await button('Show more').click()
    await expect.element(items).toHaveLength(100)
    await button('Show more').click()
    await expect.element(items).toHaveLength(120)
    await expect.element(button('Show more')).not.toBeInTheDocument()
  })

  test('links to each user and names special accounts in words', async () => {
    const marked = sampleOperatorUser({ disabledAt: '2026-01-02T03:04:05.000Z', isOperator: true })
    answerApi(listUsers, { status: 200, body: { users: [marked], hasMore: false, next: null } })
    await openOperator('/users')
    const row = page.getByRole('row').nth(1)
    await expect.element(row).toMatchTextContent('turned off')
    await expect.element(row).toMatchTextContent('operator')
    const link = row.getByRole('link', { name: 'eve' })
    await expect.element(link).toHaveAttribute('href', '/mothership/users?user=eve')
    await expectAccessibleOnDesktop()
    await expectAccessible()
  })

  test('creates an account and opens its page; a taken username stays in the form', async () => {
    answerUsers(1)
    answerApi(createUser, refused('username_taken'))
    await openOperator('/users')
    await button('Make an account').click()
    await dialog.getByRole('textbox', { name: 'Username' }).fill('ada')
    await inDialog('Make it').click()
    await expect.element(dialog).toMatchTextContent('That username is already taken')

    const made = sampleOperatorUser({ username: 'ada', deviceCount: 0 })
    const asked = answerApi(createUser, { status: 201, body: made })
    answerApi(getUser, { status: 200, body: made })
    answerApi(listUserDevices, { status: 200, body: [] })
    await inDialog('Make it').click()
    await expect.element(page.getByRole('heading', { name: 'ada', level: 2 })).toBeVisible()
    expect(asked[0]?.body).toEqual({ username: 'ada' })
  })
})

describe('a user', () => {
  test('is signed out everywhere after confirmation', async () => {
    await openUser()
    const asked = answerApi(endUserSessions, { status: 200, body: { ended: 1 } })
    await button('Sign out everywhere').click()
    await expect.element(dialog).toMatchTextContent('devices go on reporting')
    expect(asked).toEqual([])
    await inDialog('Sign out').click()
    await expect.element(dialog).not.toBeInTheDocument()
    expect(asked).toMatchObject([{ params: { username: 'eve' } }])
    await expect.element(page.getByText('eve is signed out everywhere').first()).toBeVisible()
  })

  test('loses the picture after confirmation, and the button disappears', async () => {
    const user = sampleOperatorUser({ avatar: samplePicture })
    const { become } = await openUser(user)
    const asked = answerApi(removeUserAvatar, () => {
      become({ ...user, avatar: null })
      return { status: 200, body: { ...user, avatar: null } }
    })
    await button('Remove the picture').click()
    await expect.element(dialog).toMatchTextContent('eve can upload another one')
    await inDialog('Remove it').click()
    await expect.element(page.getByText('The picture of eve is removed')).toBeVisible()
    await expect.element(button('Remove the picture')).not.toBeInTheDocument()
    expect(asked.map(({ params }) => params)).toEqual([{ username: 'eve' }])
  })

  test('can be turned off, and then turned on again', async () => {
    const user = sampleOperatorUser()
    const { become } = await openUser(user)
    const off = { ...user, disabledAt: '2026-01-02T03:04:05.000Z', sessionCount: 0 }
    answerApi(disableUser, () => {
      become(off)
      return { status: 200, body: off }
    })
    await button('Turn off').click()
    await expect.element(dialog).toMatchTextContent('can’t sign in, and its 2 devices disappear')
    await inDialog('Turn off').click()
    await expect.element(button('Turn on again')).toBeVisible()
    await expect.element(page.getByText('turned off', { exact: true })).toBeVisible()
    await expect.element(button('Sign out everywhere')).not.toBeInTheDocument()
  })

  test('is deleted only after the username is typed, by keyboard alone', async () => {
    const { become } = await openUser()
    answerApi(listUsers, { status: 200, body: { users: [], hasMore: false, next: null } })
    const asked = answerApi(deleteUser, () => {
      become(undefined)
      return { status: 200, body: { deviceCount: 2 } }
    })
    button('Delete').element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(dialog.getByRole('textbox')).toHaveFocus()
    await userEvent.keyboard('ev{Enter}')
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('That is not eve.')
    expect(asked).toEqual([])
    await userEvent.keyboard('e{Enter}')
    await expect.poll(() => window.location.pathname).toBe('/mothership/users')
    expect(asked).toMatchObject([{ params: { username: 'eve' } }])
  })

  test('gets a password code, which is shown once, after confirmation', async () => {
    await openUser()
    const link = `https://sky.example/reset-password#${'A'.repeat(25)}`
    answerApi(createResetCode, {
      status: 201,
      body: { username: 'eve', code: 'A'.repeat(25), link, expiresAt: '2026-01-03T03:04:05.000Z' },
    })
    await button('Make a password code').click()
    await expect.element(dialog).toMatchTextContent('An earlier code stops working')
    await inDialog('Make a code').click()
    await expect.element(dialog.getByText(link)).toBeVisible()
    await expectAccessible(dialog)
  })

  test('that is gone is reported, with a link to the audit log', async () => {
    answerApi(getUser, refused('not_found'))
    await openOperator('/users?user=gone')
    await expect.element(page.getByText('There is no account gone')).toBeVisible()
    const link = page.getByRole('link', { name: 'See the audit log' })
    await expect.element(link).toHaveAttribute('href', '/mothership/audit?subject=user%3Agone')
  })

  test('can’t turn off or delete the own account', async () => {
    await openUser(sampleOperatorUser({ username: 'Captain', isOperator: true }))
    await expect.element(button('Sign out everywhere')).toBeVisible()
    await expect.element(button('Turn off')).not.toBeInTheDocument()
    await expect.element(button('Delete')).not.toBeInTheDocument()
  })
})

describe('a user as a host', () => {
  const at = '2026-01-02T03:04:05.000Z'

  test('is trusted after confirmation, and can lose the trust again', async () => {
    const user = sampleOperatorUser()
    const { become } = await openUser(user)
    const trusted = { ...user, trustedAt: at }
    const asked = answerApi(trustHost, () => {
      become(trusted)
      return { status: 200, body: trusted }
    })
    await button('Trust this host').click()
    await expect.element(dialog).toMatchTextContent('without first reading whose device')
    expect(asked).toEqual([])
    await inDialog('Trust').click()
    await expect.element(page.getByText('trusted host', { exact: true })).toBeVisible()
    expect(asked).toMatchObject([{ params: { username: 'eve' } }])
    answerApi(distrustHost, () => {
      become(user)
      return { status: 200, body: user }
    })
    await button('Stop trusting').click()
    await inDialog('Stop trusting').click()
    await expect.element(button('Trust this host')).toBeVisible()
  })

  test('has the relay stopped with a reason and started again', async () => {
    const user = sampleOperatorUser()
    const { become } = await openUser(user)
    const stopped = { ...user, relayStopped: { at, reason: 'Phishing' } }
    const asked = answerApi(stopUserRelay, () => {
      become(stopped)
      return { status: 200, body: stopped }
    })
    await button('Stop the relay').click()
    await inDialog('Stop it').click()
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('Say why, in a few words.')
    await dialog.getByRole('textbox', { name: 'What eve will read' }).fill('Phishing')
    await inDialog('Stop it').click()
    await expect.element(page.getByText('relay stopped', { exact: true })).toBeVisible()
    await expect
      .element(page.getByRole('region', { name: 'As a host' }))
      .toMatchTextContent('Phishing')
    expect(asked).toMatchObject([{ params: { username: 'eve' }, body: { reason: 'Phishing' } }])
    await expectAccessible()
    answerApi(startUserRelay, () => {
      become(user)
      return { status: 200, body: user }
    })
    await button('Start the relay again').click()
    await inDialog('Start it').click()
    await expect.element(button('Stop the relay')).toBeVisible()
  })

  test('has no host card if the account is a demo', async () => {
    await openUser(sampleOperatorUser({ isDemo: true }))
    await expect.element(button('Trust this host')).not.toBeInTheDocument()
  })
})

describe('a user’s devices', () => {
  const rook = sampleOperatorDevice({ id: 'rook', label: 'Rook' })

  test('link to their pages if these are public', async () => {
    const hidden = { at: '2026-01-02T03:04:05.000Z', reason: 'It is rude.' }
    const devices = [
      rook,
      sampleOperatorDevice({ label: 'Private', visibility: 'private' }),
      sampleOperatorDevice({ label: 'Hidden', hidden }),
    ]
    await openUser(sampleOperatorUser(), devices)
    const shown = page.getByRole('list', { name: 'Devices of eve' })
    await expect
      .element(shown.getByRole('link', { name: 'Rook' }))
      .toHaveAttribute('href', '/devices/rook')
    await expect.element(shown.getByRole('link')).toHaveLength(1)
    const off = sampleOperatorUser({ disabledAt: '2026-01-02T03:04:05.000Z' })
    await cleanup()
    await openUser(off, devices)
    await expect.element(shown.getByText('Rook')).toBeVisible()
    await expect.element(shown.getByRole('link')).not.toBeInTheDocument()
  })

  test('are hidden with a required reason', async () => {
    await openUser(sampleOperatorUser(), [rook])
    const asked = answerApi(hideSubject, { status: 204 })
    await button('Hide Rook').click()
    await inDialog('Hide it').click()
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('Say why, in a few words.')
    await dialog.getByRole('textbox', { name: 'What its owner will read' }).fill('Rude')
    await inDialog('Hide it').click()
    await expect.element(dialog).not.toBeInTheDocument()
    expect(asked).toMatchObject([
      { params: { kind: 'device', id: 'rook' }, body: { reason: 'Rude' } },
    ])
  })

  test('are deleted only after the label is typed; a failure keeps the dialog open', async () => {
    await openUser(sampleOperatorUser(), [rook])
    const asked = answerApi(removeDevice, refused('not_found'))
    await button('Delete Rook').click()
    await inDialog('Delete this device').click()
    await expect.element(dialog).toMatchTextContent('That is not Rook.')
    expect(asked).toEqual([])
    await dialog.getByRole('textbox').fill('rook')
    await inDialog('Delete this device').click()
    await expect.element(dialog).toMatchTextContent('There is nothing here by that name.')
  })

  test('show since when and why they are hidden; a thousand render in parts', async () => {
    const hidden = { at: '2026-01-02T03:04:05.000Z', reason: 'It is rude.' }
    const many = Array.from({ length: 120 }, (_, at) => sampleOperatorDevice({ label: `Pi ${at}` }))
    await openUser(sampleOperatorUser(), [sampleOperatorDevice({ hidden }), ...many])
    const items = page.getByRole('list', { name: 'Devices of eve' }).getByRole('listitem')
    await expect.element(items.first()).toMatchTextContent('It is rude.')
    await expect.element(items).toHaveLength(50)
    await button('Show more of 121').click()
    await expect.element(items).toHaveLength(100)
    await expect.element(button('Show Rook again')).toBeVisible()
  })
})
